package io.homa.dpdk;

import io.homa.memory.HotPath;

/// Nanoseconds from the processor's time stamp counter, counted from the moment the clock was made. Thread-safe
/// (immutable).
///
/// The conversion is a 64×64-bit multiplication with the high half kept, so it neither overflows nor drifts by
/// rounding: the error is below one part in 2³².
@HotPath
public final class TscClock {
    private static final int SHIFT = 32;

    private final long startTsc;
    /// Nanoseconds per count, times 2³².
    private final long multiplier;

    /// Makes a clock that starts at 1: times are positive, so that 0 can mean "never".
    public TscClock() {
        long hz = DpdkCalls.tscHz();
        multiplier = Math.round(1e9 / hz * (1L << SHIFT));
        startTsc = DpdkCalls.tsc();
    }

    /// Converts a counter value to nanoseconds.
    public long nowNs(long tsc) {
        long delta = tsc - startTsc;
        return (Math.multiplyHigh(delta, multiplier) << (Long.SIZE - SHIFT)) + ((delta * multiplier) >>> SHIFT) + 1;
    }

    /// Reads the counter.
    public long tsc() {
        return DpdkCalls.tsc();
    }
}
