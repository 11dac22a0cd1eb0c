package io.homa.engine;

import io.homa.memory.HotPath;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// All RPCs of an engine: a fixed array of slots, and an open-addressing index from id to slot.
///
/// Client ids are unique on this host; a server RPC is identified by client host, client port and id together, so
/// ids may repeat in the index (protocol reference 2.12). Linear probing, at most half full, deletion shifts
/// back. Engine thread only.
@HotPath
final class RpcTable {
    private static final int EMPTY = -1;

    private final Rpc[] rpcs;
    private final int[] freeSlots;
    private int freeCount;
    private final long[] ids;
    private final int[] slots;
    private final int mask;

    RpcTable(int capacity) {
        rpcs = new Rpc[capacity];
        freeSlots = new int[capacity];
        for (int i = 0; i < capacity; i++) {
            rpcs[i] = new Rpc(i);
            freeSlots[i] = capacity - 1 - i;
        }
        freeCount = capacity;
        int size = Integer.highestOneBit(Math.max(capacity, 4) * 2 - 1) * 2;
        ids = new long[size];
        slots = new int[size];
        Arrays.fill(slots, EMPTY);
        mask = size - 1;
    }

    int capacity() {
        return rpcs.length;
    }

    /// Returns how many RPCs there are now.
    int size() {
        return rpcs.length - freeCount;
    }

    /// Returns the RPC in `slot`, in use or not.
    Rpc at(int slot) {
        return rpcs[slot];
    }

    /// Starts an RPC; null when all slots are in use.
    @Nullable
    Rpc create(boolean client, long id, Peer peer, int localPort, int remotePort, long nowNs) {
        if (freeCount == 0) {
            return null;
        }
        Rpc rpc = rpcs[freeSlots[--freeCount]];
        rpc.begin(client, id, peer, localPort, remotePort, nowNs);
        int at = home(id);
        while (slots[at] != EMPTY) {
            at = (at + 1) & mask;
        }
        ids[at] = id;
        slots[at] = rpc.slot;
        return rpc;
    }

    /// Ends an RPC and frees its slot. What the RPC holds must have been given back before.
    void remove(Rpc rpc) {
        int at = home(rpc.id);
        while (slots[at] != rpc.slot) {
            at = (at + 1) & mask;
        }
        closeHole(at);
        rpc.end();
        freeSlots[freeCount++] = rpc.slot;
    }

    /// Returns the RPC that `handle` names, or null if it has ended.
    @Nullable
    Rpc byHandle(long handle) {
        int slot = (int) handle;
        if (slot < 0 || slot >= rpcs.length) {
            return null;
        }
        Rpc rpc = rpcs[slot];
        return rpc.state != RpcState.FREE && rpc.handle() == handle ? rpc : null;
    }

    /// Returns the RPC with this id whose other end is `remotePort` of `peer` and whose local port is
    /// `localPort`, or null.
    @Nullable
    Rpc find(long id, Peer peer, int remotePort, int localPort) {
        for (int at = home(id); slots[at] != EMPTY; at = (at + 1) & mask) {
            if (ids[at] == id) {
                Rpc rpc = rpcs[slots[at]];
                if (rpc.peer() == peer && rpc.remotePort == remotePort && rpc.localPort == localPort) {
                    return rpc;
                }
            }
        }
        return null;
    }

    /// Returns a server RPC by what an acknowledgement names, which lacks the client's port; null if there is none.
    @Nullable
    Rpc findAcked(long id, Peer peer, int localPort) {
        for (int at = home(id); slots[at] != EMPTY; at = (at + 1) & mask) {
            if (ids[at] == id) {
                Rpc rpc = rpcs[slots[at]];
                if (rpc.peer() == peer && rpc.localPort == localPort) {
                    return rpc;
                }
            }
        }
        return null;
    }

    /// Says whether any RPC has this id, whatever its other end.
    boolean hasId(long id) {
        for (int at = home(id); slots[at] != EMPTY; at = (at + 1) & mask) {
            if (ids[at] == id) {
                return true;
            }
        }
        return false;
    }

    /// Says whether an RPC with this id has `remotePort` of `peer` as its other end; −1 stands for any port.
    boolean hasId(long id, Peer peer, int remotePort) {
        for (int at = home(id); slots[at] != EMPTY; at = (at + 1) & mask) {
            Rpc rpc = rpcs[slots[at]];
            if (ids[at] == id && rpc.peer() == peer && (remotePort < 0 || rpc.remotePort == remotePort)) {
                return true;
            }
        }
        return false;
    }

    private int home(long id) {
        return (int) (Hash.mix(id) & mask);
    }

    private void closeHole(int start) {
        int hole = start;
        int at = start;
        while (true) {
            at = (at + 1) & mask;
            if (slots[at] == EMPTY) {
                break;
            }
            // An entry may fill the hole unless its home lies behind the hole, cyclically.
            if (((at - home(ids[at])) & mask) >= ((at - hole) & mask)) {
                ids[hole] = ids[at];
                slots[hole] = slots[at];
                hole = at;
            }
        }
        slots[hole] = EMPTY;
    }
}
