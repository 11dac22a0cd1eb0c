package io.homa.fabric.faults;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultSimulationTest {
    private static final int SEEDS = 200;
    private static final int RPCS = 1_000;

    private static SimulationOutcome run(long seed, int rpcs) {
        try (FaultSimulation simulation = new FaultSimulation(seed, rpcs, null)) {
            return simulation.run();
        }
    }

    @Test
    void fixedSeedsHoldUnderEveryKindOfFault() {
        SeedRunner runner = new SeedRunner(1, SEEDS, RPCS);
        long startNs = System.nanoTime();
        runner.run(Runtime.getRuntime().availableProcessors(), () -> false);
        System.out.printf(
                "%d seeds, %,d RPCs, %,d packets: %,.0f RPCs per second%n",
                runner.done(), runner.rpcs(), runner.packets(), runner.rpcs() * 1e9 / (System.nanoTime() - startNs));
        List<String> found = new ArrayList<>();
        for (SimulationOutcome outcome : runner.violations()) {
            found.add("seed " + outcome.seed() + " " + outcome.violation() + "\n  replay with:  ./homa sim --seed "
                    + outcome.seed() + " --rpcs " + RPCS);
        }
        assertEquals(List.of(), found);
        assertEquals((long) SEEDS * RPCS, runner.rpcs());
        for (Fault fault : Fault.values()) {
            if (fault != Fault.NO_BUFFER) {
                assertTrue(runner.count(fault) > 0, fault + " never happened");
            }
        }
    }

    @Test
    void sameSeedIsTheSameRun() {
        SimulationOutcome first = run(17, 2_000);
        SimulationOutcome second = run(17, 2_000);
        assertNull(first.violation());
        assertEquals(first.timeNs(), second.timeNs());
        assertEquals(first.packets(), second.packets());
        assertArrayEquals(first.faults(), second.faults());
    }

    @Test
    void traceShowsEveryPacket() {
        List<String> lines = new ArrayList<>();
        SimulationOutcome outcome;
        try (FaultSimulation simulation = new FaultSimulation(5, 50, (timeNs, line) -> lines.add(line))) {
            outcome = simulation.run();
        }
        assertNull(outcome.violation());
        long arrivals = outcome.packets() - outcome.faults()[Fault.GARBAGE.ordinal()];
        assertTrue(lines.size() >= arrivals, lines.size() + " lines for " + arrivals + " packets");
        assertTrue(lines.stream().anyMatch(line -> line.contains("DATA")));
    }
}
