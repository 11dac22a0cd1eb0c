package io.homa;

import io.homa.memory.HotPath;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/// Round-trip times of this host's RPCs by [SizeClass] of the response, from 1 ns to 100 s with three digits.
///
/// The engine's thread records; any one other thread at a time takes interval histograms.
public final class LatencyRecorder {
    private static final long HIGHEST_NS = 100_000_000_000L;
    private static final int DIGITS = 3;

    private final SingleWriterRecorder[] recorders = new SingleWriterRecorder[SizeClass.values().length];

    LatencyRecorder() {
        for (int i = 0; i < recorders.length; i++) {
            recorders[i] = new SingleWriterRecorder(1, HIGHEST_NS, DIGITS);
        }
    }

    @HotPath
    void record(int length, long rttNs) {
        recorders[SizeClass.of(length).ordinal()].recordValue(Math.max(1, Math.min(rttNs, HIGHEST_NS)));
    }

    /// Returns what was recorded in a class since the last call for it. Pass the histogram of an earlier call to
    /// use its memory again.
    public Histogram interval(SizeClass sizeClass, Histogram recycled) {
        return recorders[sizeClass.ordinal()].getIntervalHistogram(recycled);
    }

    /// Returns what was recorded in a class since the last call for it.
    public Histogram interval(SizeClass sizeClass) {
        return recorders[sizeClass.ordinal()].getIntervalHistogram();
    }
}
