package io.homa.engine;

import io.homa.memory.HotPath;

/// Mean and deviation of a time that is measured again and again, as TCP keeps them for its round trip (RFC 6298).
/// Engine thread only.
@HotPath
final class SmoothedTime {
    private static final int GAIN_SHIFT = 3;
    private static final int DEVIATION_SHIFT = 2;

    private long meanNs;
    private long deviationNs;
    private int samples;

    void reset() {
        meanNs = 0;
        deviationNs = 0;
        samples = 0;
    }

    void add(long sampleNs) {
        if (samples == 0) {
            meanNs = sampleNs;
            deviationNs = sampleNs / 2;
        } else {
            deviationNs += (Math.abs(sampleNs - meanNs) - deviationNs) >> DEVIATION_SHIFT;
            meanNs += (sampleNs - meanNs) >> GAIN_SHIFT;
        }
        samples = Math.min(samples + 1, Integer.MAX_VALUE - 1);
    }

    int samples() {
        return samples;
    }

    long meanNs() {
        return meanNs;
    }

    /// Returns the time after which hardly any sample would come: mean plus four deviations.
    long boundNs() {
        return meanNs + 4 * deviationNs;
    }
}
