package io.homa.scenario;

import io.homa.memory.HotPath;

/// When requests of a fixed rate are due, whatever becomes of earlier ones. Time is an argument; one thread.
///
/// Latency is measured from the time a request was due, so a stalled sender or receiver shows in the figures
/// instead of thinning them out (coordinated omission). A schedule that the sender could not keep is *missed*.
@HotPath
public final class OpenLoopSchedule {
    /// A send later than this, or than one interval if that is longer, counts as late.
    static final long TOLERANCE_NS = 100_000;

    /// Share of late sends from which the schedule counts as missed.
    private static final double LATE_SHARE = 0.01;

    private final double intervalNs;
    private final long lateAfterNs;
    private long startNs;
    private long sent;
    private long late;
    private long largestDelayNs;

    /// @param ratePerSecond requests per second, more than 0
    public OpenLoopSchedule(double ratePerSecond) {
        if (!(ratePerSecond > 0 && ratePerSecond <= 1e9)) {
            throw new IllegalArgumentException("rate is " + ratePerSecond + "; allowed are above 0 to 1e9 per second");
        }
        intervalNs = 1e9 / ratePerSecond;
        lateAfterNs = Math.max(TOLERANCE_NS, (long) intervalNs);
    }

    /// Starts over: the first request is due now.
    public void start(long nowNs) {
        startNs = nowNs;
        sent = 0;
        late = 0;
        largestDelayNs = 0;
    }

    /// Returns when the next request is due.
    public long dueNs() {
        return startNs + (long) (sent * intervalNs);
    }

    /// Says whether the next request is due.
    public boolean isDue(long nowNs) {
        return dueNs() - nowNs <= 0;
    }

    /// Takes note that the request that was due has been sent.
    public void onSent(long nowNs) {
        long delayNs = nowNs - dueNs();
        if (delayNs > lateAfterNs) {
            late++;
        }
        largestDelayNs = Math.max(largestDelayNs, delayNs);
        sent++;
    }

    /// Returns how many requests were sent.
    public long sent() {
        return sent;
    }

    /// Returns how many of them were late.
    public long late() {
        return late;
    }

    /// Returns how many requests were due by `nowNs` and have not been sent.
    public long unsent(long nowNs) {
        return Math.max(0, (long) ((nowNs - startNs) / intervalNs) + 1 - sent);
    }

    /// Says whether so many sends were late, or stayed out, that the figures describe another load than was asked
    /// for.
    public boolean isMissed(long nowNs) {
        long due = sent + unsent(nowNs);
        return late + unsent(nowNs - lateAfterNs) > LATE_SHARE * due;
    }

    /// Returns the longest time between a request's being due and its sending.
    public long largestDelayNs() {
        return largestDelayNs;
    }
}
