package io.homa.fabric.faults;

import org.jspecify.annotations.Nullable;

/// What one run found.
///
/// @param seed seed of everything
/// @param hosts hosts that took part
/// @param rpcs RPCs that ended
/// @param failed those of them that ended with an error
/// @param packets packets that arrived
/// @param timeNs simulated time
/// @param faults how often each [Fault] happened, by ordinal
/// @param violation what did not hold, or null
public record SimulationOutcome(
        long seed,
        int hosts,
        long rpcs,
        long failed,
        long packets,
        long timeNs,
        long[] faults,
        @Nullable String violation) {}
