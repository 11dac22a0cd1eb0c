package io.homa.fabric;

import io.homa.memory.HotPath;
import java.util.Arrays;

/// Events that all happen the same time after they were added, and so in the order in which they were: a ring
/// instead of a heap. Shares the order of events of one time with an [EventQueue]. One thread.
@HotPath
final class DelayLine {
    /// Time of an empty line.
    static final long NEVER = Long.MAX_VALUE;

    private final EventQueue order;
    private final long delay;
    /// Four words of each event: time, order, target, value.
    private long[] ring = new long[4 * 1_024];
    private int mask = 1_023;
    private long head;
    private long tail;

    DelayLine(EventQueue order, long delay) {
        this.order = order;
        this.delay = delay;
    }

    void add(long now, int target, long value) {
        if (tail - head > mask) {
            grow();
        }
        int at = 4 * ((int) tail++ & mask);
        ring[at] = now + delay;
        ring[at + 1] = order.nextOrder();
        ring[at + 2] = target;
        ring[at + 3] = value;
    }

    /// Returns the time of the first event, or [#NEVER].
    long firstTime() {
        return head == tail ? NEVER : ring[4 * ((int) head & mask)];
    }

    long firstOrder() {
        return ring[4 * ((int) head & mask) + 1];
    }

    int firstTarget() {
        return (int) ring[4 * ((int) head & mask) + 2];
    }

    long firstValue() {
        return ring[4 * ((int) head & mask) + 3];
    }

    void removeFirst() {
        head++;
    }

    private void grow() {
        long[] old = ring;
        int oldMask = mask;
        ring = Arrays.copyOf(old, 2 * old.length);
        mask = 2 * oldMask + 1;
        for (long i = head; i < tail; i++) {
            System.arraycopy(old, 4 * ((int) i & oldMask), ring, 4 * ((int) i & mask), 4);
        }
    }
}
