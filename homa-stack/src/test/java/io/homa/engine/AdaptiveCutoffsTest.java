package io.homa.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class AdaptiveCutoffsTest {
    private static final EngineConfig CONFIG =
            EngineConfig.DEFAULT.withLinkBitsPerSecond(0).withFeatures(EngineFeatures.ALL);
    private static final int UNSCHEDULED = 40_000;

    private final RandomGenerator random =
            RandomGeneratorFactory.of("L64X128MixRandom").create(3);
    private final PriorityCutoffs cutoffs = new PriorityCutoffs(8);
    private final AdaptiveCutoffs adaptive = new AdaptiveCutoffs(CONFIG, cutoffs);
    private long nowNs;

    private void rounds(int count, IntUnaryOperator lengths) {
        for (int round = 0; round < count; round++) {
            nowNs += AdaptiveCutoffs.INTERVAL_NS;
            for (int i = 0; i < AdaptiveCutoffs.ROUND; i++) {
                int length = lengths.applyAsInt(i);
                adaptive.onMessage(length, Math.min(length, UNSCHEDULED), nowNs);
            }
        }
    }

    /// As many messages of a length as of its double, from 1 to `longest`.
    private int logarithmic(int longest) {
        return (int) Math.exp(random.nextDouble() * Math.log(longest));
    }

    @Test
    void levelsCarryEquallyManyBytes() {
        rounds(20, i -> logarithmic(20_000));
        assertEquals(0, cutoffs.maxScheduledPriority(), "nothing is scheduled: one level is left for it");
        long[] bytes = new long[8];
        long all = 0;
        for (int i = 0; i < 200_000; i++) {
            int length = logarithmic(20_000);
            bytes[cutoffs.unscheduledPriority(length)] += length;
            all += length;
        }
        assertEquals(0, bytes[0]);
        for (int level = 1; level < 8; level++) {
            double share = 7.0 * bytes[level] / all;
            assertTrue(share > 0.6 && share < 1.4, "level " + level + " carries " + share + " times its part");
        }
    }

    @Test
    void levelsAreSharedAsTheBytesAre() {
        // A quarter of the bytes is unscheduled.
        rounds(20, i -> 160_000);
        assertEquals(5, cutoffs.maxScheduledPriority());
        // Nearly nothing is.
        rounds(20, i -> 1_000_000);
        assertEquals(6, cutoffs.maxScheduledPriority());
    }

    @Test
    void oneLengthHasTheBestLevel() {
        rounds(3, i -> 300);
        assertEquals(7, cutoffs.unscheduledPriority(300));
        assertEquals(1, cutoffs.unscheduledPriority(100_000), "unheard of, and last of the unscheduled");
    }

    @Test
    void sameTrafficKeepsTheTableAndOtherTrafficChangesIt() {
        rounds(10, i -> logarithmic(5_000));
        int version = cutoffs.version();
        assertNotEquals(1, version);
        rounds(200, i -> logarithmic(5_000));
        assertTrue(cutoffs.version() - version <= 2, "changed " + (cutoffs.version() - version) + " times for nothing");
        int before = cutoffs.cutoff(7);
        rounds(10, i -> 10 * logarithmic(5_000));
        assertTrue(cutoffs.cutoff(7) > 3 * before, before + " became " + cutoffs.cutoff(7));
    }

    @Test
    void intervalIsKept() {
        for (int i = 0; i < 100 * AdaptiveCutoffs.ROUND; i++) {
            adaptive.onMessage(i % 2 == 0 ? 100 : 1 + i / 100, 100, AdaptiveCutoffs.INTERVAL_NS / 2);
        }
        assertEquals(2, cutoffs.version());
    }

    @Test
    void tableOfTheApplicationStays() {
        try (EngineFixture f = new EngineFixture(CONFIG, 4_000)) {
            AdaptiveCutoffs own = f.engine.parts().adaptive;
            f.engine.cutoffs(new int[] {0, 0, 0, 0, 0, 1_000_000, 3_000, 300});
            for (int i = 0; i < 2 * AdaptiveCutoffs.ROUND; i++) {
                own.onMessage(10_000, 10_000, i * AdaptiveCutoffs.INTERVAL_NS);
            }
            assertEquals(2, f.engine.parts().cutoffs.version());
        }
    }

    @Test
    void sendersAreTold() {
        try (EngineFixture f = new EngineFixture(CONFIG, 4_000)) {
            f.receive("DATA 100 0+10/10 v=1").expectNothing();
            AdaptiveCutoffs own = f.engine.parts().adaptive;
            for (int i = 0; i < AdaptiveCutoffs.ROUND; i++) {
                own.onMessage(i % 2 == 0 ? 100 : 1_000, i % 2 == 0 ? 100 : 1_000, f.nowNs());
            }
            f.receive("DATA 102 0+10/10 v=1");
            String told = f.sent("CUTOFFS").getFirst();
            assertTrue(told.startsWith("CUTOFFS 103 v2 2147483647,1000000,"), told);
        }
    }

    @Test
    void kernelRulesKeepTheirTable() {
        AdaptiveCutoffs kernel = new AdaptiveCutoffs(CONFIG.withFeatures(EngineFeatures.KERNEL), cutoffs);
        for (int i = 0; i < 3 * AdaptiveCutoffs.ROUND; i++) {
            kernel.onMessage(10_000, 10_000, i * AdaptiveCutoffs.INTERVAL_NS);
        }
        assertEquals(1, cutoffs.version());
    }
}
