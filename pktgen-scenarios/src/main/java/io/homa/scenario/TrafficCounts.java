package io.homa.scenario;

import io.homa.memory.HotPath;
import org.HdrHistogram.Histogram;

/// What became of the transfers of one pattern. Those that began before the measurement are in the totals only. One
/// thread.
public final class TrafficCounts {
    private static final long LONGEST_NS = 1_000_000_000_000L;
    private static final long PS_PER_NS = 1_000;

    private final String name;
    private final SlowdownBins slowdowns;
    private final Histogram timesNs = new Histogram(1, LONGEST_NS, 3);

    private final Histogram roundsNs = new Histogram(1, LONGEST_NS, 3);

    long started;
    long startedBytes;
    long done;
    long doneBytes;
    long lost;
    long measuredBytes;

    public TrafficCounts(String name, SlowdownBins slowdowns) {
        this.name = name;
        this.slowdowns = slowdowns;
    }

    @HotPath
    void record(int bytes, long takenPs, long idealPs) {
        slowdowns.record(bytes, takenPs, idealPs);
        timesNs.recordValue(Math.min(LONGEST_NS, takenPs / PS_PER_NS));
    }

    /// Records a round of a pattern that works in rounds.
    void recordRound(long takenPs) {
        roundsNs.recordValue(Math.min(LONGEST_NS, takenPs / PS_PER_NS));
    }

    /// Adds what another run of the same pattern counted.
    public void add(TrafficCounts other) {
        slowdowns.add(other.slowdowns);
        timesNs.add(other.timesNs);
        roundsNs.add(other.roundsNs);
        started += other.started;
        startedBytes += other.startedBytes;
        done += other.done;
        doneBytes += other.doneBytes;
        lost += other.lost;
        measuredBytes += other.measuredBytes;
    }

    public String name() {
        return name;
    }

    public SlowdownBins slowdowns() {
        return slowdowns;
    }

    /// Returns the times of transfers in nanoseconds.
    public Histogram timesNs() {
        return timesNs;
    }

    /// Returns the times of rounds in nanoseconds, empty if the pattern has none.
    public Histogram roundsNs() {
        return roundsNs;
    }

    public long started() {
        return started;
    }

    public long startedBytes() {
        return startedBytes;
    }

    public long done() {
        return done;
    }

    public long doneBytes() {
        return doneBytes;
    }

    public long lost() {
        return lost;
    }

    /// Returns the bytes of messages and answers that ended while the measurement ran.
    public long measuredBytes() {
        return measuredBytes;
    }
}
