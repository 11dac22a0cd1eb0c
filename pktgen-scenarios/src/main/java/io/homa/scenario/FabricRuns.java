package io.homa.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Simulations of the same network and traffic with different seeds, at most one for each CPU at a time, counted
/// together. [#run] on one thread; the rest on any.
public final class FabricRuns {
    private final List<FabricRun> runs;

    private volatile FabricRun.@Nullable Outcome outcome;
    private volatile @Nullable Throwable failure;

    /// @param runs 1 or more, whose patterns are the same
    public FabricRuns(List<FabricRun> runs) {
        this.runs = List.copyOf(runs);
    }

    /// Returns how much is done, in 1/1000 of a run.
    public long donePerMille() {
        return runs.stream().mapToLong(FabricRun::donePerMille).sum();
    }

    /// Runs all.
    public void run(BooleanSupplier isCancelled) {
        int threads = Math.min(runs.size(), Runtime.getRuntime().availableProcessors());
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<FabricRun.Outcome>> pending = new ArrayList<>();
            runs.forEach(run -> pending.add(pool.submit(() -> run.run(isCancelled))));
            List<FabricRun.Outcome> outcomes = new ArrayList<>();
            for (Future<FabricRun.Outcome> next : pending) {
                outcomes.add(next.get());
            }
            outcome = FabricRun.Outcome.together(outcomes);
        } catch (ExecutionException e) {
            failure = e.getCause();
        } catch (InterruptedException e) {
            failure = e;
        }
    }

    /// Returns what the runs found together, after [#run].
    ///
    /// @throws IllegalStateException if one of them failed
    public FabricRun.Outcome outcome() {
        FabricRun.Outcome found = outcome;
        if (found == null) {
            throw new IllegalStateException("the simulation failed", failure);
        }
        return found;
    }
}
