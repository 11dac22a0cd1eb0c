package io.homa.cli;

import io.homa.scenario.FabricRun;
import io.homa.scenario.FabricRuns;
import java.util.List;

/// Simulations behind a progress bar.
final class SimulatedRuns {
    private SimulatedRuns() {}

    /// Runs all and returns what they found together.
    static FabricRun.Outcome run(String task, List<FabricRun> all, Console console) {
        FabricRuns work = new FabricRuns(all);
        try (Interrupt interrupt = new Interrupt()) {
            Thread thread = Thread.ofPlatform().daemon().start(() -> work.run(interrupt::isRequested));
            console.await(task, 1_000L * all.size(), work::donePerMille, () -> !thread.isAlive());
            return work.outcome();
        }
    }
}
