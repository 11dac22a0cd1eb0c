package io.homa.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.wire.PacketType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/// Recovery from loss beside the kernel module's rule, in virtual time: a link of 25 Gbit/s with a round trip of
/// 10 µs.
class EarlyRecoveryTest {
    private static final long ONE_WAY_NS = 5_000;
    private static final long RTT_NS = 2 * ONE_WAY_NS;
    private static final int LENGTH = 100_000;
    private static final EngineConfig KERNEL = EngineConfig.DEFAULT;
    private static final EngineConfig EARLY = EngineConfig.DEFAULT.withFeatures(EngineFeatures.ALL);

    private static RandomGenerator random() {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(11);
    }

    private static boolean isType(byte[] packet, int type) {
        return packet[11] == type;
    }

    private static int offset(byte[] data) {
        return ByteBuffer.wrap(data).getInt(52);
    }

    private static boolean isRequest(byte[] packet) {
        return (packet[27] & 1) == 0;
    }

    /// Sends `count` messages of [#LENGTH] bytes, one after the other, and returns how long each took to be answered.
    private static long[] exchange(TestHost alice, TestHost bob, TestWire wire, int count) {
        long[] times = new long[count];
        for (int i = 0; i < count; i++) {
            long startNs = wire.nowNs();
            assertTrue(alice.request(bob, LENGTH, i, startNs) > 0);
            while (alice.responses <= i) {
                assertEquals(List.of(), alice.failures);
                wire.step();
            }
            times[i] = wire.nowNs() - startNs;
        }
        return times;
    }

    /// Loses one packet in the middle of each request and returns how long after its time it came again.
    private static final class MiddleLoss implements TestWire.Fate {
        private final RandomGenerator random = random();
        private final List<Long> delays = new ArrayList<>();
        private int lostOffset = -1;
        private long dueNs;
        private int victim = 20;

        @Override
        public long delayNs(byte[] packet, long nowNs) {
            if (isType(packet, PacketType.DATA) && isRequest(packet)) {
                if (lostOffset >= 0 && offset(packet) == lostOffset) {
                    delays.add(nowNs + ONE_WAY_NS - dueNs);
                    lostOffset = -1;
                    victim = Integer.MAX_VALUE;
                } else if (offset(packet) == 0) {
                    victim = 10 + random.nextInt(50);
                } else if (offset(packet) / 1_424 == victim && lostOffset < 0) {
                    lostOffset = offset(packet);
                    dueNs = nowNs + ONE_WAY_NS;
                    return LOST;
                }
            }
            return ONE_WAY_NS;
        }

        long medianNs() {
            long[] sorted = delays.stream().mapToLong(Long::longValue).sorted().toArray();
            return sorted[sorted.length / 2];
        }
    }

    private static long medianRecoveryNs(EngineConfig config, int messages) {
        MiddleLoss loss = new MiddleLoss();
        try (TestHost alice = new TestHost(1, config, 2_000);
                TestHost bob = new TestHost(2, config, 2_000)) {
            exchange(alice, bob, new TestWire(alice, bob, loss), messages);
        }
        assertTrue(loss.delays.size() >= messages * 9 / 10, "losses: " + loss.delays.size());
        return loss.medianNs();
    }

    @Test
    void packetLostInTheMiddleComesAgainWithinFourRoundTrips() {
        long kernelNs = medianRecoveryNs(KERNEL, 100);
        long earlyNs = medianRecoveryNs(EARLY, 400);
        System.out.printf(
                "one packet of 100 KB lost: back after %.1f RTT (median), by the kernel's rule after %.1f RTT%n",
                (double) earlyNs / RTT_NS, (double) kernelNs / RTT_NS);
        assertTrue(earlyNs <= 4 * RTT_NS, "median " + earlyNs + " ns");
        assertTrue(kernelNs > earlyNs, "kernel's median " + kernelNs + " ns");
    }

    private static long percentile(long[] values, double percent) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[(int) Math.min(sorted.length - 1L, Math.round(sorted.length * percent / 100))];
    }

    private static long[] timesUnderLoss(EngineConfig config, double loss) {
        RandomGenerator random = random();
        try (TestHost alice = new TestHost(1, config, 2_000);
                TestHost bob = new TestHost(2, config, 2_000)) {
            return exchange(
                    alice,
                    bob,
                    new TestWire(
                            alice,
                            bob,
                            (packet, nowNs) -> random.nextDouble() < loss ? TestWire.Fate.LOST : ONE_WAY_NS),
                    1_000);
        }
    }

    @Test
    void tailUnderLossIsShorterThanByTheKernelsRule() {
        for (double loss : new double[] {0.001, 0.01}) {
            long[] kernel = timesUnderLoss(KERNEL, loss);
            long[] early = timesUnderLoss(EARLY, loss);
            System.out.printf(
                    "100 KB echo, %.1f %% loss: p50 %.0f, p99 %.0f µs; by the kernel's rule %.0f and %.0f µs%n",
                    loss * 100,
                    percentile(early, 50) / 1e3,
                    percentile(early, 99) / 1e3,
                    percentile(kernel, 50) / 1e3,
                    percentile(kernel, 99) / 1e3);
            assertTrue(percentile(early, 99) * 4 < percentile(kernel, 99));
        }
    }

    @Test
    void reorderingAloneCausesHardlyAnyRetransmission() {
        RandomGenerator random = random();
        try (TestHost alice = new TestHost(1, EARLY, 2_000);
                TestHost bob = new TestHost(2, EARLY, 2_000)) {
            TestWire.Fate fate =
                    (packet, nowNs) -> ONE_WAY_NS + (random.nextInt(100) == 0 ? random.nextInt(5 * (int) RTT_NS) : 0);
            exchange(alice, bob, new TestWire(alice, bob, fate), 2_000);
            long sent = alice.counters.get(Counter.DATA_BYTES_SENT) + bob.counters.get(Counter.DATA_BYTES_SENT);
            long resent = alice.counters.get(Counter.DATA_BYTES_RESENT) + bob.counters.get(Counter.DATA_BYTES_RESENT);
            System.out.printf(
                    "1 %% of packets late by up to 5 RTT, none lost: %.4f %% of bytes sent again%n",
                    100.0 * resent / sent);
            assertTrue(resent * 1_000 <= sent, resent + " of " + sent + " bytes");
        }
    }

    @Test
    void lostGrantIsSentAgainAfterAboutARoundTrip() {
        boolean[] isLost = {false};
        TestWire.Fate loseFirstGrants = (packet, nowNs) -> {
            if (isType(packet, PacketType.GRANT) && !isRequest(packet) && !isLost[0]) {
                isLost[0] = ByteBuffer.wrap(packet).getInt(28) == LENGTH;
                return TestWire.Fate.LOST;
            }
            return ONE_WAY_NS;
        };
        try (TestHost alice = new TestHost(1, EARLY, 2_000);
                TestHost bob = new TestHost(2, EARLY, 2_000)) {
            long[] times = exchange(alice, bob, new TestWire(alice, bob, loseFirstGrants), 1);
            assertTrue(isLost[0]);
            assertTrue(times[0] < 1_000_000, times[0] + " ns");
            assertEquals(0, bob.counters.get(Counter.RESENDS_SENT), "a GRANT repairs a lost GRANT");
            assertEquals(0, alice.counters.get(Counter.DATA_BYTES_RESENT));
        }
    }
}
