package io.homa.fabric;

import io.homa.memory.HotPath;
import java.util.Arrays;

/// Events in the order of their times, those of one time in the order in which they were added, so that a
/// simulation is the same each time. An event is a kind, a target and one value; what they mean, and the unit of
/// time, is up to the user.
///
/// A heap with four children per node, of time and order only; what an event says stays where it is put. Grows when
/// it has to, else makes no garbage. One thread.
@HotPath
public final class EventQueue {
    private static final int SLOT_BITS = 24;
    private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;

    /// Two words of each node: time, and order above slot.
    private long[] heap = new long[2 * 1_024];
    private int size;
    private long added;

    private int[] what = new int[2 * 1_024];
    private long[] value = new long[1_024];
    private int[] free = new int[1_024];
    private int freeCount;

    public EventQueue() {
        refill(0);
    }

    private void refill(int from) {
        for (int slot = free.length - 1; slot >= from; slot--) {
            free[freeCount++] = slot;
        }
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public int size() {
        return size;
    }

    /// Returns a number for the order of events that are kept elsewhere, among those that are kept here.
    long nextOrder() {
        return added++;
    }

    /// Adds an event.
    public void add(long time, int eventKind, int eventTarget, long eventValue) {
        if (freeCount == 0) {
            grow();
        }
        int slot = free[--freeCount];
        what[2 * slot] = eventKind;
        what[2 * slot + 1] = eventTarget;
        value[slot] = eventValue;
        long rank = added++ << SLOT_BITS | slot;
        int at = size++;
        while (at > 0) {
            int parent = (at - 1) >>> 2;
            if (heap[2 * parent] <= time) {
                break;
            }
            move(parent, at);
            at = parent;
        }
        heap[2 * at] = time;
        heap[2 * at + 1] = rank;
    }

    /// Returns the time of the first event. Only if there is one, like those below.
    public long firstTime() {
        return heap[0];
    }

    long firstOrder() {
        return heap[1] >>> SLOT_BITS;
    }

    public int firstKind() {
        return what[2 * ((int) heap[1] & SLOT_MASK)];
    }

    public int firstTarget() {
        return what[2 * ((int) heap[1] & SLOT_MASK) + 1];
    }

    public long firstValue() {
        return value[(int) heap[1] & SLOT_MASK];
    }

    public void removeFirst() {
        free[freeCount++] = (int) heap[1] & SLOT_MASK;
        int last = --size;
        long time = heap[2 * last];
        long rank = heap[2 * last + 1];
        int at = 0;
        while (true) {
            int child = firstOf(4 * at + 1, last);
            if (child >= last || !isBefore(child, time, rank)) {
                break;
            }
            move(child, at);
            at = child;
        }
        heap[2 * at] = time;
        heap[2 * at + 1] = rank;
    }

    /// Returns the earliest of the up to four siblings from `child` on, below `end`.
    private int firstOf(int child, int end) {
        int best = child;
        int stop = Math.min(child + 4, end);
        for (int i = child + 1; i < stop; i++) {
            if (isBefore(i, heap[2 * best], heap[2 * best + 1])) {
                best = i;
            }
        }
        return best;
    }

    private boolean isBefore(int node, long time, long rank) {
        long mine = heap[2 * node];
        return mine < time || (mine == time && heap[2 * node + 1] < rank);
    }

    private void move(int from, int to) {
        heap[2 * to] = heap[2 * from];
        heap[2 * to + 1] = heap[2 * from + 1];
    }

    private void grow() {
        int capacity = value.length;
        if (2 * capacity > SLOT_MASK + 1) {
            throw new IllegalStateException("more than eight million events are pending");
        }
        heap = Arrays.copyOf(heap, 4 * capacity);
        what = Arrays.copyOf(what, 4 * capacity);
        value = Arrays.copyOf(value, 2 * capacity);
        free = Arrays.copyOf(free, 2 * capacity);
        refill(capacity);
    }
}
