package io.homa.engine;

import io.homa.memory.HotPath;
import org.jspecify.annotations.Nullable;

/// All RPCs of an engine: a fixed array of slots, and an open-addressing index from id to slot.
///
/// Client ids are unique on this host; a server RPC is identified by client host, client port and id together, so
/// ids may repeat in the index (protocol reference 2.12). Linear probing, at most half full, deletion shifts
/// back. Eight ids that a client gives one after the other lie side by side in the index, in one cache line:
/// with very many RPCs the index is what misses the cache. Engine thread only.
@HotPath
final class RpcTable {
    private static final long EMPTY = 0;
    /// Ids of one client differ by two.
    private static final int ID_SHIFT = 1;

    private static final int GROUP_SHIFT = 3;
    private static final int GROUP_MASK = (1 << GROUP_SHIFT) - 1;

    private final Rpc[] rpcs;
    private final int[] freeSlots;
    private int freeCount;
    private int clients;
    /// Entries: the place where the search for the id begins in the upper half, slot and one in the lower.
    private final long[] index;
    private final int mask;

    RpcTable(int capacity) {
        rpcs = new Rpc[capacity];
        freeSlots = new int[capacity];
        for (int i = 0; i < capacity; i++) {
            rpcs[i] = new Rpc(i);
            freeSlots[i] = capacity - 1 - i;
        }
        freeCount = capacity;
        index = new long[Integer.highestOneBit(Math.max(capacity, 4) * 2 - 1) * 2];
        mask = index.length - 1;
    }

    int capacity() {
        return rpcs.length;
    }

    /// Returns how many RPCs there are now.
    int size() {
        return rpcs.length - freeCount;
    }

    /// Returns how many of them are this host's own requests.
    int clients() {
        return clients;
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
        clients += client ? 1 : 0;
        rpc.begin(client, id, peer, localPort, remotePort, nowNs);
        int home = home(id);
        int at = home;
        while (index[at] != EMPTY) {
            at = (at + 1) & mask;
        }
        index[at] = (long) home << Integer.SIZE | rpc.slot + 1;
        return rpc;
    }

    /// Ends an RPC and frees its slot. What the RPC holds must have been given back before.
    void remove(Rpc rpc) {
        int at = home(rpc.id);
        while (slot(index[at]) != rpc.slot) {
            at = (at + 1) & mask;
        }
        closeHole(at);
        clients -= rpc.isClient ? 1 : 0;
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
        int home = home(id);
        for (int at = home; index[at] != EMPTY; at = (at + 1) & mask) {
            if (homeOf(index[at]) == home) {
                Rpc rpc = rpcs[slot(index[at])];
                if (rpc.id == id && rpc.peer() == peer && rpc.remotePort == remotePort && rpc.localPort == localPort) {
                    return rpc;
                }
            }
        }
        return null;
    }

    /// Returns a server RPC by what an acknowledgement names, which lacks the client's port; null if there is none.
    @Nullable
    Rpc findAcked(long id, Peer peer, int localPort) {
        int home = home(id);
        for (int at = home; index[at] != EMPTY; at = (at + 1) & mask) {
            if (homeOf(index[at]) == home) {
                Rpc rpc = rpcs[slot(index[at])];
                if (rpc.id == id && rpc.peer() == peer && rpc.localPort == localPort) {
                    return rpc;
                }
            }
        }
        return null;
    }

    /// Says whether any RPC has this id, whatever its other end.
    boolean hasId(long id) {
        int home = home(id);
        for (int at = home; index[at] != EMPTY; at = (at + 1) & mask) {
            if (homeOf(index[at]) == home && rpcs[slot(index[at])].id == id) {
                return true;
            }
        }
        return false;
    }

    /// Says whether an RPC with this id has `remotePort` of `peer` as its other end; −1 stands for any port.
    boolean hasId(long id, Peer peer, int remotePort) {
        int home = home(id);
        for (int at = home; index[at] != EMPTY; at = (at + 1) & mask) {
            Rpc rpc = rpcs[slot(index[at])];
            if (rpc.id == id && rpc.peer() == peer && (remotePort < 0 || rpc.remotePort == remotePort)) {
                return true;
            }
        }
        return false;
    }

    private int home(long id) {
        long number = id >>> ID_SHIFT;
        return (int) (Hash.mix(number >>> GROUP_SHIFT) << GROUP_SHIFT | number & GROUP_MASK) & mask;
    }

    private static int homeOf(long entry) {
        return (int) (entry >>> Integer.SIZE);
    }

    private static int slot(long entry) {
        return (int) entry - 1;
    }

    private void closeHole(int start) {
        int hole = start;
        int at = start;
        while (true) {
            at = (at + 1) & mask;
            if (index[at] == EMPTY) {
                break;
            }
            // An entry may fill the hole unless its home lies behind the hole, cyclically.
            if (((at - homeOf(index[at])) & mask) >= ((at - hole) & mask)) {
                index[hole] = index[at];
                hole = at;
            }
        }
        index[hole] = EMPTY;
    }
}
