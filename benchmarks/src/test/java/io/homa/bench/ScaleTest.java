package io.homa.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.engine.EngineConfig;
import io.homa.engine.EngineLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The load of the benchmark does what it says, and an engine takes what its tables were made for.
class ScaleTest {
    private static final int STEPS = 20_000;

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "10, 100, 1", "10, 100, 32", "10000, 100000, 1", "10000, 100000, 32"})
    void everyResponseArrives(int peers, int outstanding, int burst) {
        EngineConfig config = EngineConfig.DEFAULT
                .withLinkBitsPerSecond(0)
                .withLimits(new EngineLimits(outstanding, peers, 16, 16, 16));
        for (boolean isRandom : new boolean[] {false, true}) {
            try (OutstandingLoad load = new OutstandingLoad(config, peers, outstanding, isRandom, burst)) {
                long before = load.packets();
                load.run(STEPS);
                assertTrue(load.packets() - before >= 2 * STEPS);
            }
        }
    }

    @Test
    void placesTakeTheSameEveryTime() {
        assertEquals(TableMemory.bytesPerRpc(), TableMemory.bytesPerRpc(), 10);
        assertEquals(TableMemory.bytesPerPeer(), TableMemory.bytesPerPeer(), 10);
        assertTrue(TableMemory.bytesPerRpc() > 0 && TableMemory.bytesPerPeer() > 0);
    }
}
