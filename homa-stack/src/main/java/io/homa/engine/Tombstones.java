package io.homa.engine;

import io.homa.memory.HotPath;
import java.util.Arrays;

/// Remembers server RPCs that are over, so that a late copy of their request is not executed again (protocol
/// reference 8.5).
///
/// A tombstone lasts for a fixed time, or until the table is full and it is the oldest. It is kept as a 64-bit
/// digest of client host, port and id; that two of the at most 2²⁰ living ones are equal by chance has
/// probability below 10⁻⁷. Engine thread only.
@HotPath
final class Tombstones {
    private final long[] digests;
    private final long[] expiryNs;
    private final int[] index;
    private final int ringMask;
    private final int indexMask;
    private final long lifetimeNs;
    private long head;
    private long tail;

    /// Holds up to `capacity` (rounded up to a power of two) tombstones for `lifetimeNs` each.
    Tombstones(int capacity, long lifetimeNs) {
        int size = Integer.highestOneBit(Math.max(capacity, 2) * 2 - 1);
        digests = new long[size];
        expiryNs = new long[size];
        index = new int[size * 2];
        Arrays.fill(index, -1);
        ringMask = size - 1;
        indexMask = index.length - 1;
        this.lifetimeNs = lifetimeNs;
    }

    int size() {
        return (int) (tail - head);
    }

    void add(long id, Peer peer, int clientPort, long nowNs) {
        expire(nowNs);
        if (tail - head == digests.length) {
            dropOldest();
        }
        int at = (int) tail++ & ringMask;
        digests[at] = digest(id, peer, clientPort);
        expiryNs[at] = nowNs + lifetimeNs;
        int slot = (int) digests[at] & indexMask;
        while (index[slot] >= 0) {
            slot = (slot + 1) & indexMask;
        }
        index[slot] = at;
    }

    boolean contains(long id, Peer peer, int clientPort, long nowNs) {
        expire(nowNs);
        long digest = digest(id, peer, clientPort);
        for (int slot = (int) digest & indexMask; index[slot] >= 0; slot = (slot + 1) & indexMask) {
            if (digests[index[slot]] == digest) {
                return true;
            }
        }
        return false;
    }

    private void expire(long nowNs) {
        while (head != tail && expiryNs[(int) head & ringMask] <= nowNs) {
            dropOldest();
        }
    }

    private void dropOldest() {
        int oldest = (int) head++ & ringMask;
        int at = (int) digests[oldest] & indexMask;
        while (index[at] != oldest) {
            at = (at + 1) & indexMask;
        }
        int hole = at;
        while (true) {
            at = (at + 1) & indexMask;
            if (index[at] < 0) {
                break;
            }
            int home = (int) digests[index[at]] & indexMask;
            if (((at - home) & indexMask) >= ((at - hole) & indexMask)) {
                index[hole] = index[at];
                hole = at;
            }
        }
        index[hole] = -1;
    }

    private static long digest(long id, Peer peer, int clientPort) {
        return Hash.mix(Hash.mix(Hash.mix(id) + peer.addressHigh()) + peer.addressLow())
                + clientPort * 0x9E37_79B9_7F4AL;
    }
}
