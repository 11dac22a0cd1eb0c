package io.homa.fabric;

/// What the network does to packets by chance, each a share of 0 to 1.
///
/// @param drop packets that vanish
/// @param reorder packets that others may overtake: they take up to 20 µs longer
/// @param duplicate packets that arrive twice
public record FaultRates(double drop, double reorder, double duplicate) {
    /// A network without faults.
    public static final FaultRates NONE = new FaultRates(0, 0, 0);

    public FaultRates {
        if (Math.min(drop, Math.min(reorder, duplicate)) < 0 || Math.max(drop, Math.max(reorder, duplicate)) > 1) {
            throw new IllegalArgumentException("rates of faults are shares of 0 to 1");
        }
    }

    boolean isNone() {
        return drop + reorder + duplicate == 0;
    }
}
