package io.homa.engine;

import io.homa.memory.HotPath;
import java.util.Arrays;

/// When data of each priority last arrived. A message whose packets have a low priority is not silent while better
/// ones pass it in the switch: its packets wait there, and asking for them again would make the queue longer.
/// Engine thread only.
@HotPath
final class ArrivalClock {
    private final long[] lastNs = new long[8];

    ArrivalClock() {
        Arrays.fill(lastNs, Long.MIN_VALUE / 2);
    }

    void onData(int priority, long nowNs) {
        lastNs[priority & 7] = nowNs;
    }

    /// Returns when data of a higher priority than this last arrived.
    long lastAboveNs(int priority) {
        long last = Long.MIN_VALUE / 2;
        for (int level = priority + 1; level < lastNs.length; level++) {
            last = Math.max(last, lastNs[level]);
        }
        return last;
    }
}
