package io.homa.scenario;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ExchangePhaseTest {
    private final ExchangePhase phase = new ExchangePhase();

    @Test
    void idleCycleWhileRunningDoesNotEndTheRun() {
        phase.start();
        phase.onIdle();
        assertTrue(phase.isRunning());
        assertFalse(phase.isDrained());
    }

    @Test
    void drainsOnlyAfterStopAndOnlyWhenIdle() {
        phase.start();
        phase.stop();
        assertFalse(phase.isRunning());
        assertFalse(phase.isDrained());
        phase.onIdle();
        assertTrue(phase.isDrained());
    }

    @Test
    void secondRunIsNotDrainedByTheFirst() {
        phase.start();
        phase.stop();
        phase.onIdle();
        phase.start();
        assertFalse(phase.isDrained());
    }
}
