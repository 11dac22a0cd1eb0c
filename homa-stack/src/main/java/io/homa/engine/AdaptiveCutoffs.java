package io.homa.engine;

import io.homa.memory.HotPath;

/// Chooses the table of [PriorityCutoffs] from the messages that come in, as the SIGCOMM 2018 paper proposes (section
/// 3.4): as many levels for unscheduled bytes as is their share of all bytes, at least one and not all, and each of
/// these levels for as many bytes as the others. The kernel module leaves its table to the administrator.
///
/// Lengths are counted in a histogram with [#STEPS] buckets for each doubling. Every [#ROUND] messages, but not within
/// [#INTERVAL_NS], a table is computed; it replaces the other if it has another number of levels, or a cutoff that
/// differs by more than an eighth. What was counted loses a quarter of its weight then. Engine thread only.
@HotPath
final class AdaptiveCutoffs {
    /// Messages between two computations.
    static final int ROUND = 2_048;

    /// Least time between two computations: a new table means a packet to every sender.
    static final long INTERVAL_NS = 10_000_000;

    private static final int STEP_SHIFT = 5;
    private static final int STEPS = 1 << STEP_SHIFT;
    private static final int LEVELS = 8;

    private final PriorityCutoffs cutoffs;
    private final int priorities;
    private final long[] unscheduledBytes = new long[Integer.SIZE * STEPS];
    private final int[] table = new int[LEVELS];
    private boolean isOn;
    private long allBytes;
    private int messages;
    private long nextNs = Long.MIN_VALUE;

    AdaptiveCutoffs(EngineConfig config, PriorityCutoffs cutoffs) {
        this.cutoffs = cutoffs;
        priorities = config.priorities();
        isOn = config.features().adaptiveCutoffs() && priorities > 1;
    }

    /// The application has a table of its own: nothing changes it from now on.
    void turnOff() {
        isOn = false;
    }

    /// A message of `length` bytes, of which `unscheduled` come unasked, has begun.
    void onMessage(int length, int unscheduled, long nowNs) {
        if (!isOn) {
            return;
        }
        unscheduledBytes[bucket(length)] += unscheduled;
        allBytes += length;
        if (++messages >= ROUND && nowNs >= nextNs) {
            messages = 0;
            nextNs = nowNs + INTERVAL_NS;
            compute();
        }
    }

    private void compute() {
        long unscheduled = 0;
        for (long bytes : unscheduledBytes) {
            unscheduled += bytes;
        }
        int levels = Math.clamp(Math.round((double) priorities * unscheduled / allBytes), 1, priorities - 1);
        fill(levels, unscheduled);
        if (differs(levels)) {
            cutoffs.set(table);
        }
        for (int i = 0; i < unscheduledBytes.length; i++) {
            unscheduledBytes[i] -= unscheduledBytes[i] >> 2;
        }
        allBytes -= allBytes >> 2;
    }

    /// Fills the table: the best level first, with the shortest messages.
    private void fill(int levels, long total) {
        int lowest = priorities - levels;
        int level = priorities - 1;
        long sum = 0;
        int cutoff = 0;
        for (int i = 0; i < unscheduledBytes.length && level > lowest; i++) {
            sum += unscheduledBytes[i];
            if (unscheduledBytes[i] != 0) {
                cutoff = longest(i);
            }
            while (level > lowest && sum * levels >= total * (priorities - level)) {
                table[level--] = cutoff;
            }
        }
        table[lowest] = EngineConfig.MAX_MESSAGE_LENGTH;
        for (int i = lowest - 1; i >= 0; i--) {
            table[i] = 0;
        }
    }

    private boolean differs(int levels) {
        int lowest = priorities - levels;
        if (cutoffs.maxScheduledPriority() != lowest - 1) {
            return true;
        }
        for (int i = lowest + 1; i < priorities; i++) {
            int old = cutoffs.cutoff(i);
            if (Math.abs(table[i] - old) > old / 8) {
                return true;
            }
        }
        return false;
    }

    private static int bucket(int length) {
        int scaled = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(length);
        int step = (int) (((long) length << STEP_SHIFT) >>> scaled) & (STEPS - 1);
        return scaled << STEP_SHIFT | step;
    }

    /// Returns the longest length that counts into a bucket.
    private static int longest(int bucket) {
        int scaled = bucket >>> STEP_SHIFT;
        long steps = STEPS + 1L + (bucket & STEPS - 1);
        return (int) ((steps << scaled) - 1 >>> STEP_SHIFT);
    }
}
