package io.homa.fabric.faults;

/// A host's own clock: it starts elsewhere and runs faster or slower than the simulation's time.
///
/// @param offsetNs what it shows at time 0
/// @param drift nanoseconds it gains per million, −100,000…100,000
record HostClock(long offsetNs, int drift) {
    private static final long MILLION = 1_000_000;

    /// Returns what this clock shows at a time of the simulation.
    long localNs(long timeNs) {
        return offsetNs + timeNs + timeNs / MILLION * drift + timeNs % MILLION * drift / MILLION;
    }

    /// Returns a time of the simulation at which this clock shows `localNs` or a little more.
    long timeNs(long localNs) {
        if (localNs == Long.MAX_VALUE) {
            return Long.MAX_VALUE;
        }
        double elapsed = (double) (localNs - offsetNs) * MILLION / (MILLION + drift);
        long timeNs = (long) elapsed;
        while (localNs(timeNs) < localNs) {
            timeNs++;
        }
        return timeNs;
    }
}
