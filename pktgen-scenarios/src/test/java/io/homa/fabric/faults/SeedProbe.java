package io.homa.fabric.faults;

import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// Runs one seed and returns what was violated, or null. Made by name from [MutatedClasses], hence public.
public final class SeedProbe implements LongFunction<@Nullable String> {
    private static final int RPCS = 300;

    @Override
    public @Nullable String apply(long seed) {
        FaultSimulation simulation = new FaultSimulation(seed, RPCS, null);
        String violation = simulation.run().violation();
        if (violation == null) {
            // After a violation memory may be in any state, and what it would be released to too.
            simulation.close();
        }
        return violation;
    }
}
