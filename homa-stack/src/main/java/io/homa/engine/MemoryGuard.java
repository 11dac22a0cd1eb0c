package io.homa.engine;

import io.homa.memory.HotPath;
import io.homa.memory.PacketPool;
import org.jspecify.annotations.Nullable;

/// Keeps the packet pool from running dry. Below the reserve no new message begins and only the best one is
/// granted;
/// below half of it the messages that are furthest from complete give back what they have received, which their
/// senders will be asked for again. The best message keeps everything, so that some message always gets on.
///
/// Without this, hosts whose pools are full of parts of messages could not even receive the packets that would
/// complete them. Engine thread only.
@HotPath
final class MemoryGuard {
    private final PacketPool pool;
    private final RpcTable rpcs;
    private final GapPool gaps;
    private final GrantScheduler grants;
    private final Counters counters;
    private final int reserve;
    private boolean isLow;

    MemoryGuard(EngineParts parts) {
        pool = parts.pool;
        rpcs = parts.rpcs;
        gaps = parts.gaps;
        grants = parts.grants;
        counters = parts.counters;
        reserve = parts.config.limits().poolReserve();
    }

    /// Says whether the reserve was in use when [#check] was last called.
    boolean isLow() {
        return isLow;
    }

    void check(long nowNs) {
        int free = pool.available();
        isLow = free < reserve;
        while (free < reserve / 2 && discardWorst(nowNs)) {
            free = pool.available();
        }
    }

    private boolean discardWorst(long nowNs) {
        Rpc worst = null;
        Rpc best = null;
        for (int slot = 0; slot < rpcs.capacity(); slot++) {
            Rpc rpc = rpcs.at(slot);
            if (rpc.state == RpcState.INCOMING && rpc.in.receivedBytes() > 0) {
                worst = worse(worst, rpc);
                best = better(best, rpc);
            }
        }
        if (worst == null || worst == best) {
            return false;
        }
        counters.add(Counter.DATA_BYTES_DISCARDED, worst.in.receivedBytes());
        grants.beforeDiscard(worst);
        worst.in.discard(pool, gaps, nowNs);
        grants.afterDiscard(worst);
        return true;
    }

    private static Rpc worse(@Nullable Rpc worst, Rpc rpc) {
        return worst == null || WaitingHeap.outranks(worst, rpc) ? rpc : worst;
    }

    private static Rpc better(@Nullable Rpc best, Rpc rpc) {
        return best == null || WaitingHeap.outranks(rpc, best) ? rpc : best;
    }
}
