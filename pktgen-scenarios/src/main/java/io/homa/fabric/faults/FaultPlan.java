package io.homa.fabric.faults;

import io.homa.engine.EngineFeatures;
import java.util.SplittableRandom;

/// What goes wrong in one run, all of it drawn from the run's seed. Probabilities are per packet, in 1/1,000,000.
///
/// @param hosts hosts, each client and server
/// @param drop packets lost
/// @param corrupt packets whose bits are damaged, which a real link's check sequence turns into loss
/// @param duplicate packets that arrive twice
/// @param reorder packets that are held up
/// @param holdNs longest time for which those are held up
/// @param truncate packets that lose a part of their end
/// @param garbage packets made up by somebody, per packet sent
/// @param partitionsPerSecond times per second at which the hosts fall into two parts for a while
/// @param pausesPerSecond times per second at which a host stops for a while, per run
/// @param restartsPerSecond times per second at which a host loses its memory and starts again
/// @param longestPauseNs longest pause and partition
/// @param drift largest difference between a clock and the true time, in 1/1,000,000
/// @param poolPackets packets of each host
/// @param outstanding requests on their way per host
/// @param largest longest message in bytes
/// @param mixesFeatures whether some hosts follow the kernel module's rules and some do better
record FaultPlan(
        int hosts,
        int drop,
        int corrupt,
        int duplicate,
        int reorder,
        int holdNs,
        int truncate,
        int garbage,
        int partitionsPerSecond,
        int pausesPerSecond,
        int restartsPerSecond,
        int longestPauseNs,
        int drift,
        int poolPackets,
        int outstanding,
        int largest,
        boolean mixesFeatures) {
    private static final int PERCENT = 10_000;

    /// Draws the plan of a seed.
    static FaultPlan of(long seed) {
        SplittableRandom random = new SplittableRandom(seed ^ 0x5EED_0F_FA017L);
        int hosts = random.nextInt(4) > 0 ? 2 + random.nextInt(6) : 2 + random.nextInt(49);
        boolean isDry = random.nextInt(5) == 0;
        boolean isDisrupted = random.nextInt(3) == 0;
        return new FaultPlan(
                hosts,
                often(random, 2, 20 * PERCENT),
                often(random, 3, PERCENT),
                often(random, 2, 10 * PERCENT),
                often(random, 2, 20 * PERCENT),
                1_000 + random.nextInt(2_000_000),
                often(random, 4, PERCENT),
                often(random, 4, PERCENT),
                isDisrupted ? random.nextInt(20) : 0,
                isDisrupted ? random.nextInt(50) : 0,
                isDisrupted ? random.nextInt(20) : 0,
                1_000_000 + random.nextInt(149_000_000),
                random.nextBoolean() ? random.nextInt(100_000) : 0,
                isDry ? 256 + random.nextInt(512) : hosts > 10 ? 2_048 : 6_144,
                1 + random.nextInt(16),
                isDry ? 100_000 : hosts <= 10 && random.nextInt(4) == 0 ? 1_000_000 : 60_000,
                random.nextBoolean());
    }

    /// Returns 0 in one case of `cases`, else up to `limit`, small values more often.
    private static int often(SplittableRandom random, int cases, int limit) {
        if (random.nextInt(cases) == 0) {
            return 0;
        }
        double share = random.nextDouble();
        return (int) (limit * share * share);
    }

    /// Says whether an RPC may end with an error other than its own cancelling: only if hosts could not talk for
    /// longer than the timeout, or memory is short.
    boolean allowsFailures() {
        return partitionsPerSecond + pausesPerSecond + restartsPerSecond > 0 || isDry();
    }

    /// Says whether pools are meant to run out.
    boolean isDry() {
        return poolPackets < 1_024;
    }

    /// Returns what the host does beyond the kernel module.
    EngineFeatures features(int host) {
        return mixesFeatures && host % 2 == 1 ? EngineFeatures.KERNEL : EngineFeatures.ALL;
    }
}
