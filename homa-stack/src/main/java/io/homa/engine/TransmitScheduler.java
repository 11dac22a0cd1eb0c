package io.homa.engine;

import io.homa.memory.HotPath;

/// Chooses the message that sends next: the one with the fewest bytes left, except for a small share that goes to
/// the oldest (protocol reference 3.4). O(log n) when a message comes or goes, O(1) per packet. If so configured,
/// the first packet of a message that needs grants goes before all that: the receiver can then schedule the message
/// while the bodies of others are on their way (protocol reference 8.14). Engine thread only.
@HotPath
final class TransmitScheduler {
    /// Shorter messages are never held back by the pacer; the kernel's `defer_min_bytes`.
    private static final int NEVER_DEFERRED_BYTES = 1_000;

    private final RpcTable rpcs;
    private final Pacer pacer;
    private final IndexedHeap shortest;
    private final IndexedHeap oldest;
    private final boolean sendsFirstPacketsEarly;
    private final int fifoPerMille;
    private long order;
    /// Bytes that the oldest message is owed, times 1000.
    private long fifoCredit;

    /// @param fifoPerMille share of transmitted bytes for the oldest message, in 1/1000
    TransmitScheduler(RpcTable rpcs, Pacer pacer, boolean sendsFirstPacketsEarly, int fifoPerMille) {
        this.rpcs = rpcs;
        this.sendsFirstPacketsEarly = sendsFirstPacketsEarly;
        this.fifoPerMille = fifoPerMille;
        this.pacer = pacer;
        shortest = new IndexedHeap(rpcs.capacity());
        oldest = new IndexedHeap(rpcs.capacity());
    }

    boolean isEmpty() {
        return shortest.size() == 0;
    }

    /// Adds `rpc` if its message may send something now.
    void offer(Rpc rpc) {
        if (rpc.out.maySend() && !shortest.contains(rpc.slot)) {
            shortest.put(rpc.slot, key(rpc.out), order);
            oldest.put(rpc.slot, rpc.startNs, order);
            order++;
        }
    }

    private long key(OutgoingMessage out) {
        boolean goesEarly = sendsFirstPacketsEarly && out.sentOffset() == 0 && out.unscheduledBytes() < out.length();
        return goesEarly ? 0 : out.remainingBytes();
    }

    void remove(Rpc rpc) {
        shortest.remove(rpc.slot);
        oldest.remove(rpc.slot);
    }

    /// Returns the slot of the RPC whose next packet should leave now, or −1.
    int next(long nowNs) {
        int slot = shortest.first();
        if (slot == IndexedHeap.NONE) {
            return slot;
        }
        if (!pacer.mayTransmit(nowNs)) {
            return rpcs.at(slot).out.length() < NEVER_DEFERRED_BYTES ? slot : IndexedHeap.NONE;
        }
        if (fifoCredit > 0 && shortest.size() > 1) {
            return oldest.first();
        }
        return slot;
    }

    /// Takes note that `rpc` has sent `bytes`; it stays only while it may send more.
    void sent(Rpc rpc, int bytes) {
        if (shortest.size() > 1) {
            fifoCredit = rpc.slot == oldest.first() && fifoCredit > 0
                    ? fifoCredit - 1000L * bytes
                    : fifoCredit + (long) fifoPerMille * bytes;
        } else {
            fifoCredit = 0;
        }
        if (rpc.out.maySend()) {
            shortest.rekey(rpc.slot, rpc.out.remainingBytes());
        } else {
            remove(rpc);
        }
    }
}
