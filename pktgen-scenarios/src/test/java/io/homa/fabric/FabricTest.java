package io.homa.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.engine.EngineConfig;
import io.homa.engine.EngineFeatures;
import io.homa.engine.EngineLimits;
import io.homa.engine.GrantConfig;
import io.homa.engine.TimerConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FabricTest {
    private static final long MS = 1_000_000_000L;
    private static final Topology PAPER = Topology.sigcomm18();

    /// The engine with the paper's packets, window and priorities.
    private static EngineConfig paperEngine() {
        return EngineConfig.DEFAULT
                .withLinkBitsPerSecond(0)
                .withUnscheduledBytes(WireFormat.SIGCOMM18.unscheduledBytes())
                .withGrants(new GrantConfig(9_328, 1_000_000_000, 4, 0, 50_000))
                .withTimers(new TimerConfig(1_000_000, 1_000_000, 1_000_000, 2_000_000, 1_000_000, 10))
                .withLimits(new EngineLimits(256, 256, 64, 64, 0))
                .withFeatures(EngineFeatures.PAPER);
    }

    private static TransportSetup paper() {
        return new HomaSetup(
                paperEngine(), WireFormat.SIGCOMM18, new int[] {0, 0, 0, 0, Integer.MAX_VALUE, 6_756, 2_339, 433});
    }

    private static TransportSetup real() {
        EngineConfig config = EngineConfig.DEFAULT
                .withLinkBitsPerSecond(10_000_000_000L)
                .withLimits(new EngineLimits(512, 64, 1_024, 64, 0));
        return new HomaSetup(config, WireFormat.real(1_500, config.unscheduledBytes()), null);
    }

    /// Notes when messages end.
    private static class Log implements Application {
        final List<Long> times = new ArrayList<>();
        int failures;

        @Nullable
        Fabric fabric;

        private void note() {
            assertTrue(fabric != null);
            times.add(fabric.nowPs());
        }

        @Override
        public void onTimer(int host, long value) {}

        @Override
        public void onMessage(int host, int message) {
            note();
        }

        @Override
        public void onAnswer(int host, int message) {
            note();
        }

        @Override
        public void onFailure(int host, int message) {
            failures++;
        }
    }

    private static FabricConfig config(Topology topology, long bufferBytes, long seed) {
        return new FabricConfig(topology, HostDelays.SIGCOMM18, true, bufferBytes, 0, seed);
    }

    @Test
    void onePacketTakesTheTimeOfItsLinksAndDelays() {
        Log log = new Log();
        try (Fabric fabric = new Fabric(config(PAPER, 0, 1), paper(), log)) {
            log.fabric = fabric;
            fabric.send(0, 1, 100, 0, 0);
            fabric.run(MS);
            fabric.send(0, 143, 100, 0, 0);
            fabric.run(2 * MS);
        }
        long hostLink = 196 * 800;
        long coreLink = 196 * 200;
        long sameRack = 2 * hostLink + 1_500_000 + 250_000;
        long otherRack = sameRack + 2 * coreLink + 2 * 250_000;
        assertEquals(List.of(sameRack, MS + otherRack), log.times);
    }

    @Test
    void longMessageRunsAtLineRateAlthoughItNeedsGrants() {
        Log log = new Log();
        int bytes = 9_328 + 1_000 * 1_456;
        try (Fabric fabric = new Fabric(config(PAPER, 0, 1), paper(), log)) {
            log.fabric = fabric;
            fabric.send(0, 143, bytes, 0, 0);
            fabric.run(10 * MS);
            // Packets on the link, and the way of the last: two host links in all, two in the core.
            long serialised = WireFormat.SIGCOMM18.messageWireBytes(bytes) * 800;
            long path = 1_538 * (800 + 2 * 200) + 1_500_000 + 3 * 250_000;
            assertEquals(List.of(serialised + path), log.times);
            assertEquals(0, fabric.messages().size());
        }
    }

    private static List<Long> run(TransportSetup setup, FabricConfig config, int messages, int largest, int answer) {
        Log log = new Log();
        try (Fabric fabric = new Fabric(config, setup, log)) {
            log.fabric = fabric;
            SplittableRandom random = new SplittableRandom(5);
            int hosts = fabric.topology().hosts();
            for (int i = 0; i < messages; i++) {
                int from = random.nextInt(hosts);
                int to = (from + 1 + random.nextInt(hosts - 1)) % hosts;
                fabric.send(from, to, 1 + random.nextInt(largest), answer, 0);
            }
            for (int i = 0; i < 4_000 && fabric.messages().size() > 0; i++) {
                fabric.run(fabric.nowPs() + MS);
            }
            assertEquals(0, fabric.messages().size());
            assertEquals(0, log.failures);
            // What acknowledges the last answers still has to be sent.
            fabric.run(fabric.nowPs() + 1_000 * MS);
            assertEquals(fabric.pool().capacity(), fabric.pool().available(), "packets left");
        }
        return log.times;
    }

    @Test
    void seedDecidesEverything() {
        List<Long> first = run(paper(), config(PAPER, 0, 1), 2_000, 30_000, 0);
        assertEquals(2_000, first.size());
        assertEquals(first, run(paper(), config(PAPER, 0, 1), 2_000, 30_000, 0));
        assertNotEquals(first, run(paper(), config(PAPER, 0, 2), 2_000, 30_000, 0));
    }

    @Test
    void answersComeBackAlsoWhenBuffersOverflow() {
        Topology one = Topology.singleSwitch(20, 10_000_000_000L, 250_000, 50_000);
        // Everybody sends to everybody at once, far more than the buffer holds.
        List<Long> times = run(real(), config(one, 60_000, 1), 300, 60_000, 20_000);
        assertEquals(600, times.size());
    }

    @Test
    void fullBufferDropsAndCounts() {
        Topology one = Topology.singleSwitch(5, 10_000_000_000L, 250_000, 0);
        Log log = new Log();
        FabricConfig config = new FabricConfig(one, HostDelays.SIGCOMM18, true, 20_000, 3_000, 1);
        try (Fabric fabric = new Fabric(config, paper(), log)) {
            log.fabric = fabric;
            for (int from = 1; from < 5; from++) {
                fabric.send(from, 0, 9_328, 0, 0);
            }
            fabric.run(MS);
            // Forty thousand bytes come four times as fast as they leave.
            SwitchStatistics counted = fabric.statistics();
            assertTrue(counted.drops() >= 5 && counted.drops() <= 10, "drops: " + counted.drops());
            assertTrue(counted.marks() > 0);
            assertTrue(counted.peakUsedBytes() <= 20_000 && counted.peakUsedBytes() > 18_000);
            assertTrue(log.times.size() < 4);
        }
    }

    @Test
    void shortMessageOvertakesInTheSwitch() {
        Topology one = Topology.singleSwitch(4, 10_000_000_000L, 250_000, 0);
        List<Integer> order = new ArrayList<>();
        Log byLength = new Log() {
            @Override
            public void onMessage(int host, int message) {
                assertTrue(fabric != null);
                order.add(fabric.messages().length(message));
            }
        };
        try (Fabric fabric = new Fabric(config(one, 0, 1), paper(), byLength)) {
            byLength.fabric = fabric;
            fabric.send(1, 0, 9_000, 0, 0);
            fabric.send(2, 0, 9_100, 0, 0);
            fabric.run(6 * 1_000_000);
            fabric.send(3, 0, 100, 0, 0);
            fabric.run(MS);
        }
        assertEquals(100, order.getFirst());
        assertEquals(3, order.size());
    }
}
