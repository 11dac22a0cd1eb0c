package io.homa.scenario;

import io.homa.SizeClass;
import io.homa.memory.HotPath;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/// Round-trip times by [SizeClass] and over all sizes, 1 ns to 100 s with three digits. One thread.
public final class LatencyBySize {
    private static final long HIGHEST_NS = 100_000_000_000L;
    private static final SizeClass[] CLASSES = SizeClass.values();

    private final Histogram[] byClass = new Histogram[CLASSES.length];
    private final Histogram all = new Histogram(1, HIGHEST_NS, 3);

    public LatencyBySize() {
        for (int i = 0; i < byClass.length; i++) {
            byClass[i] = new Histogram(1, HIGHEST_NS, 3);
        }
    }

    /// Records a round trip with messages of `length` bytes.
    @HotPath
    public void record(int length, long rttNs) {
        long value = Math.max(1, Math.min(rttNs, HIGHEST_NS));
        byClass[SizeClass.of(length).ordinal()].recordValue(value);
        all.recordValue(value);
    }

    /// Forgets everything.
    public void reset() {
        for (Histogram histogram : byClass) {
            histogram.reset();
        }
        all.reset();
    }

    /// Adds another's times.
    public void add(LatencyBySize other) {
        for (int i = 0; i < byClass.length; i++) {
            byClass[i].add(other.byClass[i]);
        }
        all.add(other.all);
    }

    /// Returns the times of one class.
    public Histogram of(SizeClass sizeClass) {
        return byClass[sizeClass.ordinal()];
    }

    /// Returns the times of all sizes together.
    public Histogram all() {
        return all;
    }

    /// Returns one measurement per class that has times, the smallest first, and one of all sizes.
    public List<Measurement> measurements(String name, int outstanding) {
        List<Measurement> list = new ArrayList<>();
        for (SizeClass sizeClass : CLASSES) {
            Histogram times = of(sizeClass);
            if (times.getTotalCount() > 0) {
                list.add(Measurement.rtt(name, sizeClass.maxLength(), outstanding, times));
            }
        }
        list.add(Measurement.rtt(name, null, outstanding, all));
        return list;
    }
}
