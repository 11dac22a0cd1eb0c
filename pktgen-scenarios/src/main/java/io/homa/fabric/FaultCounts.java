package io.homa.fabric;

import java.util.List;

/// Packets that a network dropped, delayed so that others could overtake them, or sent twice, by chance.
public record FaultCounts(long dropped, long reordered, long duplicated) {
    /// Returns the sums.
    public static FaultCounts together(List<FaultCounts> all) {
        return new FaultCounts(
                all.stream().mapToLong(FaultCounts::dropped).sum(),
                all.stream().mapToLong(FaultCounts::reordered).sum(),
                all.stream().mapToLong(FaultCounts::duplicated).sum());
    }
}
