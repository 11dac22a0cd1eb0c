package io.homa.bench;

import io.homa.dpdk.ThreadAffinity;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// How far apart two CPUs are: the time in which a cache line goes from one to the other and back. On shared virtual
/// machines it changes while tests run, and all latencies of two pinned processes with it.
final class CoreDistance {
    private static final VarHandle TURN = MethodHandles.arrayElementVarHandle(long[].class);
    /// Index of the shared counter, a cache line away from both ends of the array.
    private static final int AT = 16;

    private static final int WARM_UP = 20_000;
    private static final int ROUNDS = 50_000;
    private static final long LIMIT_NS = 100_000_000;

    private CoreDistance() {}

    /// Returns nanoseconds per round trip; takes some tens of milliseconds.
    static long measureNs(Cores cores) throws InterruptedException {
        long[] shared = new long[2 * AT];
        long deadlineNs = System.nanoTime() + LIMIT_NS;
        Thread other = Thread.ofPlatform().daemon().unstarted(() -> {
            ThreadAffinity.pin(cores.server());
            for (long turn = 1; turn < 2L * (WARM_UP + ROUNDS); turn += 2) {
                if (!awaitTurn(shared, turn, deadlineNs)) {
                    return;
                }
                // Release: pairs with the acquire in awaitTurn.
                TURN.setRelease(shared, AT, turn + 1);
            }
        });
        long[] result = {0};
        Thread one = Thread.ofPlatform().daemon().unstarted(() -> {
            ThreadAffinity.pin(cores.client());
            result[0] = bounce(shared, deadlineNs);
        });
        other.start();
        one.start();
        one.join();
        other.join();
        return result[0];
    }

    private static long bounce(long[] shared, long deadlineNs) {
        long startNs = System.nanoTime();
        for (int round = 0; round < WARM_UP + ROUNDS; round++) {
            if (round == WARM_UP) {
                startNs = System.nanoTime();
            }
            TURN.setRelease(shared, AT, 2L * round + 1);
            if (!awaitTurn(shared, 2L * round + 2, deadlineNs)) {
                int counted = round > WARM_UP ? round - WARM_UP : round + 1;
                return (System.nanoTime() - startNs) / counted;
            }
        }
        return (System.nanoTime() - startNs) / ROUNDS;
    }

    private static boolean awaitTurn(long[] shared, long turn, long deadlineNs) {
        for (int spins = 1; (long) TURN.getAcquire(shared, AT) < turn; spins++) {
            if ((spins & 1_023) == 0 && System.nanoTime() - deadlineNs > 0) {
                return false;
            }
        }
        return true;
    }
}
