package io.homa.engine;

import io.homa.memory.HotPath;
import org.jspecify.annotations.Nullable;

/// The messages of one peer that wait to be granted, best first: a pairing heap whose links lie in the RPCs, so
/// that any number of them costs no memory of its own and O(log n) to change. Static functions over the root,
/// which the peer keeps. Engine thread only.
@HotPath
final class WaitingHeap {
    private WaitingHeap() {}

    /// Says whether `a` comes before `b`: fewer bytes to receive, then older (protocol reference 4.3.2).
    static boolean outranks(Rpc a, Rpc b) {
        int left = a.in.remainingBytes();
        int right = b.in.remainingBytes();
        return left < right || (left == right && a.in.birth < b.in.birth);
    }

    /// Adds `rpc` to the heap at `root` and returns the new root.
    static Rpc add(@Nullable Rpc root, Rpc rpc) {
        rpc.waitChild = null;
        rpc.waitNext = null;
        rpc.waitPrevious = null;
        return root == null ? rpc : meld(root, rpc);
    }

    /// Removes `rpc` and returns the new root.
    static @Nullable Rpc remove(Rpc root, Rpc rpc) {
        Rpc children = combine(rpc.waitChild);
        rpc.waitChild = null;
        if (rpc == root) {
            return children;
        }
        cut(rpc);
        return children == null ? root : meld(root, children);
    }

    /// Puts `rpc`, which has come closer to the front, in its place and returns the new root.
    static Rpc improved(Rpc root, Rpc rpc) {
        if (rpc == root) {
            return root;
        }
        cut(rpc);
        return meld(root, rpc);
    }

    private static Rpc meld(Rpc a, Rpc b) {
        if (outranks(b, a)) {
            adopt(b, a);
            return b;
        }
        adopt(a, b);
        return a;
    }

    private static void adopt(Rpc parent, Rpc child) {
        Rpc sibling = parent.waitChild;
        child.waitNext = sibling;
        child.waitPrevious = parent;
        if (sibling != null) {
            sibling.waitPrevious = child;
        }
        parent.waitChild = child;
    }

    private static void cut(Rpc rpc) {
        Rpc before = rpc.waitPrevious;
        assert before != null;
        if (before.waitChild == rpc) {
            before.waitChild = rpc.waitNext;
        } else {
            before.waitNext = rpc.waitNext;
        }
        if (rpc.waitNext != null) {
            rpc.waitNext.waitPrevious = before;
        }
        rpc.waitNext = null;
        rpc.waitPrevious = null;
    }

    /// Melds a list of siblings into one heap: in pairs from the left, then from the right.
    private static @Nullable Rpc combine(@Nullable Rpc first) {
        Rpc pairs = null;
        Rpc rest = first;
        while (rest != null) {
            Rpc a = rest;
            Rpc b = a.waitNext;
            rest = b == null ? null : b.waitNext;
            detach(a);
            Rpc pair = a;
            if (b != null) {
                detach(b);
                pair = meld(a, b);
            }
            pair.waitNext = pairs;
            pairs = pair;
        }
        Rpc root = null;
        while (pairs != null) {
            Rpc following = pairs.waitNext;
            detach(pairs);
            root = root == null ? pairs : meld(root, pairs);
            pairs = following;
        }
        return root;
    }

    private static void detach(Rpc rpc) {
        rpc.waitNext = null;
        rpc.waitPrevious = null;
    }
}
