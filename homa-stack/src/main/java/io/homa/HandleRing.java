package io.homa;

import io.homa.memory.HotPath;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// A bounded queue of records of [#RECORD] longs from any number of threads to one: handles and numbers, never
/// bytes.
///
/// A producer claims a place by compare-and-set of the tail, writes the record, and publishes it by storing its
/// sequence number with release; the consumer reads that with acquire. A full queue refuses ([#offer] returns
/// false). Nothing is allocated after construction.
@HotPath
final class HandleRing {
    /// Longs of a record: with the sequence number, one cache line.
    static final int RECORD = 7;

    private static final int STRIDE = RECORD + 1;
    private static final VarHandle SLOTS = MethodHandles.arrayElementVarHandle(long[].class);

    /// Index of tail and head in `ends`, a cache line (and its neighbour, which is fetched along) apart from each
    /// other.
    private static final int TAIL = 16;

    private static final int HEAD = 48;

    private final long[] slots;
    private final long[] ends = new long[64];
    private final int mask;

    /// Makes a queue for at least `capacity` records.
    HandleRing(int capacity) {
        int size = Integer.highestOneBit(Math.max(capacity, 2) * 2 - 1);
        slots = new long[size * STRIDE];
        mask = size - 1;
    }

    int capacity() {
        return mask + 1;
    }

    /// Adds a record; returns false if the queue is full. Any thread.
    boolean offer(long a, long b, long c, long d, long e, long f, long g) {
        long tail;
        do {
            // Acquire: pairs with the release of the head in advance(), so that the place is really free.
            tail = (long) SLOTS.getVolatile(ends, TAIL);
            if (tail - (long) SLOTS.getAcquire(ends, HEAD) > mask) {
                return false;
            }
        } while (!SLOTS.compareAndSet(ends, TAIL, tail, tail + 1));
        int at = ((int) tail & mask) * STRIDE;
        slots[at + 1] = a;
        slots[at + 2] = b;
        slots[at + 3] = c;
        slots[at + 4] = d;
        slots[at + 5] = e;
        slots[at + 6] = f;
        slots[at + 7] = g;
        // Release: pairs with the acquire in peek().
        SLOTS.setRelease(slots, at, tail + 1);
        return true;
    }

    /// Says whether a record is there to be read with [#get]. Consumer only.
    boolean peek() {
        long head = ends[HEAD];
        return (long) SLOTS.getAcquire(slots, ((int) head & mask) * STRIDE) == head + 1;
    }

    /// Returns field `index`, 0…RECORD−1, of the record that [#peek] found. Consumer only.
    long get(int index) {
        return slots[((int) ends[HEAD] & mask) * STRIDE + 1 + index];
    }

    /// Gives the place of the record back. Consumer only.
    void advance() {
        // Release: pairs with the acquire in offer().
        SLOTS.setRelease(ends, HEAD, ends[HEAD] + 1);
    }
}
