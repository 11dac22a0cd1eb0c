package io.homa.scenario;

import io.homa.memory.HotPath;

/// Where an exchange stands. Any thread starts and stops it; only the thread that sends says when nothing is on its
/// way any more, so that a start is never mistaken for the end of the last run.
final class ExchangePhase {
    private enum Phase {
        RUNNING,
        DRAINING,
        DRAINED
    }

    private volatile Phase phase = Phase.DRAINED;

    void start() {
        phase = Phase.RUNNING;
    }

    void stop() {
        phase = Phase.DRAINING;
    }

    @HotPath
    boolean isRunning() {
        return phase == Phase.RUNNING;
    }

    boolean isDrained() {
        return phase == Phase.DRAINED;
    }

    /// The sending thread has nothing on its way.
    @HotPath
    void onIdle() {
        if (phase == Phase.DRAINING) {
            phase = Phase.DRAINED;
        }
    }
}
