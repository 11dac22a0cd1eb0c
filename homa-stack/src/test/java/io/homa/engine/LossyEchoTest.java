package io.homa.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Two engines over a wire that delays, drops and reorders: every byte arrives, nothing is left over.
class LossyEchoTest {
    private static final int[] SIZES = {1, 100, 1_424, 1_425, 40_000, 40_001, 100_000, 500_000, 1_000_000};

    @ParameterizedTest
    @MethodSource("rulesAndLosses")
    void everyByteArrives(EngineFeatures features, double loss) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);
        EngineConfig config = EngineConfig.DEFAULT.withFeatures(features);
        try (TestHost alice = new TestHost(1, config, 8_000);
                TestHost bob = new TestHost(2, config, 8_000)) {
            TestWire wire = new TestWire(
                    alice,
                    bob,
                    (packet, nowNs) ->
                            random.nextDouble() < loss ? TestWire.Fate.LOST : 4_000L + random.nextInt(1_000));
            int sent = 0;
            long endNs = wire.nowNs() + 60_000_000_000L;
            while ((alice.responses < SIZES.length * 4 || alice.engine.rpcCount() + bob.engine.rpcCount() > 0)
                    && wire.nowNs() < endNs) {
                if (sent < SIZES.length * 4 && alice.engine.rpcCount() < 3) {
                    assertTrue(alice.request(bob, SIZES[sent % SIZES.length], sent, wire.nowNs()) > 0);
                    sent++;
                }
                wire.step();
            }
            assertEquals(SIZES.length * 4, alice.responses, () -> "failures: " + alice.failures);
            assertEquals(SIZES.length * 4, bob.requests);
            assertEquals(0, alice.engine.rpcCount());
            assertEquals(0, bob.engine.rpcCount());
            assertEquals(alice.pool.capacity(), alice.pool.available());
            assertEquals(bob.pool.capacity(), bob.pool.available());
        }
    }

    static List<Arguments> rulesAndLosses() {
        List<Arguments> all = new ArrayList<>();
        for (EngineFeatures features : List.of(EngineFeatures.KERNEL, EngineFeatures.ALL)) {
            for (double loss : new double[] {0, 0.01, 0.1}) {
                all.add(Arguments.of(features, loss));
            }
        }
        return all;
    }
}
