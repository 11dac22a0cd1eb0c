package io.homa.engine;

import io.homa.memory.HotPath;

/// A bounded first-in first-out queue of packets. Engine thread only.
@HotPath
final class LongRing {
    private final long[] values;
    private final int mask;
    private int head;
    private int tail;

    /// Makes a queue of at least `capacity` places.
    LongRing(int capacity) {
        values = new long[Integer.highestOneBit(Math.max(capacity, 2) * 2 - 1)];
        mask = values.length - 1;
    }

    boolean isEmpty() {
        return head == tail;
    }

    int size() {
        return tail - head;
    }

    /// Adds a packet; returns false when the queue is full.
    boolean offer(long value) {
        if (tail - head == values.length) {
            return false;
        }
        values[tail++ & mask] = value;
        return true;
    }

    /// Takes the oldest packet, or 0.
    long poll() {
        return head == tail ? 0 : values[head++ & mask];
    }
}
