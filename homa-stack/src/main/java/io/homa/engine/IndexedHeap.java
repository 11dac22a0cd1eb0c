package io.homa.engine;

import io.homa.memory.HotPath;
import java.util.Arrays;

/// A binary min-heap of entries `0…capacity-1`, each with a key and a tie-breaking sequence number, that finds
/// and moves any entry by its index: O(log n) to add, remove and change, O(1) to look at the first. Keys lie in the
/// order of the heap, not of the entries: few of very many entries are in it, and those share cache lines. Nothing is
/// allocated after construction. Engine thread only.
@HotPath
final class IndexedHeap {
    static final int NONE = -1;

    private final int[] position;
    private final int[] heap;
    private final long[] keys;
    private final long[] orders;
    private int size;

    IndexedHeap(int capacity) {
        position = new int[capacity];
        heap = new int[capacity];
        keys = new long[capacity];
        orders = new long[capacity];
        Arrays.fill(position, NONE);
    }

    int size() {
        return size;
    }

    boolean contains(int entry) {
        return position[entry] != NONE;
    }

    /// Returns the entry with the smallest key (then the smallest order), or NONE.
    int first() {
        return size == 0 ? NONE : heap[0];
    }

    /// Returns the key of `entry`, which must be there.
    long key(int entry) {
        return keys[position[entry]];
    }

    /// Changes the key of `entry`, which must be there; its order stays.
    void rekey(int entry, long newKey) {
        int at = position[entry];
        settle(at, entry, newKey, orders[at]);
    }

    /// Adds `entry`, or changes its key and order.
    void put(int entry, long newKey, long newOrder) {
        int at = position[entry];
        settle(at == NONE ? size++ : at, entry, newKey, newOrder);
    }

    /// Removes `entry`, if it is there.
    void remove(int entry) {
        int at = position[entry];
        if (at == NONE) {
            return;
        }
        position[entry] = NONE;
        int last = --size;
        if (last != at) {
            settle(at, heap[last], keys[last], orders[last]);
        }
    }

    /// Puts an entry where it belongs, given that place `at` is free for it.
    private void settle(int start, int entry, long key, long order) {
        int at = start;
        while (at > 0 && isBefore(key, order, (at - 1) >>> 1)) {
            move((at - 1) >>> 1, at);
            at = (at - 1) >>> 1;
        }
        while (true) {
            int child = 2 * at + 1;
            if (child >= size) {
                break;
            }
            if (child + 1 < size && isBefore(keys[child + 1], orders[child + 1], child)) {
                child++;
            }
            if (!isAfter(key, order, child)) {
                break;
            }
            move(child, at);
            at = child;
        }
        heap[at] = entry;
        keys[at] = key;
        orders[at] = order;
        position[entry] = at;
    }

    private void move(int from, int to) {
        heap[to] = heap[from];
        keys[to] = keys[from];
        orders[to] = orders[from];
        position[heap[to]] = to;
    }

    private boolean isBefore(long key, long order, int at) {
        return key < keys[at] || (key == keys[at] && order < orders[at]);
    }

    private boolean isAfter(long key, long order, int at) {
        return key > keys[at] || (key == keys[at] && order > orders[at]);
    }
}
