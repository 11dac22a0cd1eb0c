package io.homa.scenario;

import io.homa.memory.HotPath;
import java.util.Arrays;
import org.HdrHistogram.Histogram;

/// Slowdowns by classes of message sizes, 0.01 to 100,000 with three digits. One thread.
public final class SlowdownBins {
    private static final double SCALE = 1_000;
    private static final long HIGHEST = 100_000_000;

    private final int[] upToBytes;
    private final Histogram[] slowdowns;

    /// @param upToBytes largest size of each class, rising; longer messages count to the last
    public SlowdownBins(int[] upToBytes) {
        this.upToBytes = upToBytes.clone();
        slowdowns = new Histogram[upToBytes.length];
        for (int i = 0; i < slowdowns.length; i++) {
            slowdowns[i] = new Histogram(1, HIGHEST, 3);
        }
    }

    /// Records a message.
    ///
    /// @param takenPs time that it took
    /// @param idealPs time that it would have taken alone
    @HotPath
    public void record(int bytes, long takenPs, long idealPs) {
        int at = Arrays.binarySearch(upToBytes, bytes);
        int bin = Math.min(at >= 0 ? at : -at - 1, slowdowns.length - 1);
        slowdowns[bin].recordValue(Math.min(HIGHEST, Math.max(10, Math.round(SCALE * takenPs / idealPs))));
    }

    /// Adds the messages of `other`, which has the same classes.
    public void add(SlowdownBins other) {
        for (int i = 0; i < slowdowns.length; i++) {
            slowdowns[i].add(other.slowdowns[i]);
        }
    }

    public int count() {
        return slowdowns.length;
    }

    public int upToBytes(int bin) {
        return upToBytes[bin];
    }

    public long messages(int bin) {
        return slowdowns[bin].getTotalCount();
    }

    /// Returns a percentile (0 to 100) of a class that is not empty.
    public double percentile(int bin, double percentile) {
        return slowdowns[bin].getValueAtPercentile(percentile) / SCALE;
    }

    /// Returns the same classes without messages.
    public SlowdownBins empty() {
        return new SlowdownBins(upToBytes);
    }

    /// Returns a percentile (0 to 100) of all classes whose messages have up to `bytes` bytes; NaN if none has.
    public double percentileBelow(int bytes, double percentile) {
        Histogram sum = new Histogram(1, HIGHEST, 3);
        for (int i = 0; i < slowdowns.length && upToBytes[i] <= bytes; i++) {
            sum.add(slowdowns[i]);
        }
        return sum.getTotalCount() == 0 ? Double.NaN : sum.getValueAtPercentile(percentile) / SCALE;
    }
}
