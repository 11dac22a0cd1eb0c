package io.homa.engine;

import io.homa.memory.HotPath;
import java.util.Arrays;

/// A binary min-heap of entries `0…capacity-1`, each with a key and a tie-breaking sequence number, that finds
/// and moves any entry by its index: O(log n) to add, remove and change, O(1) to look at the first. Nothing is
/// allocated after construction. Engine thread only.
@HotPath
final class IndexedHeap {
    static final int NONE = -1;

    private final int[] heap;
    private final int[] position;
    private final long[] key;
    private final long[] order;
    private int size;

    IndexedHeap(int capacity) {
        heap = new int[capacity];
        position = new int[capacity];
        key = new long[capacity];
        order = new long[capacity];
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

    long key(int entry) {
        return key[entry];
    }

    /// Changes the key of `entry`, which must be there; its order stays.
    void rekey(int entry, long newKey) {
        key[entry] = newKey;
        siftDown(siftUp(position[entry]));
    }

    /// Adds `entry`, or changes its key and order.
    void put(int entry, long newKey, long newOrder) {
        key[entry] = newKey;
        order[entry] = newOrder;
        int at = position[entry];
        if (at == NONE) {
            at = size++;
            heap[at] = entry;
            position[entry] = at;
        }
        siftDown(siftUp(at));
    }

    /// Removes `entry`, if it is there.
    void remove(int entry) {
        int at = position[entry];
        if (at == NONE) {
            return;
        }
        position[entry] = NONE;
        int last = heap[--size];
        if (last != entry) {
            heap[at] = last;
            position[last] = at;
            siftDown(siftUp(at));
        }
    }

    private int siftUp(int start) {
        int at = start;
        int entry = heap[at];
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (!isBefore(entry, heap[parent])) {
                break;
            }
            heap[at] = heap[parent];
            position[heap[at]] = at;
            at = parent;
        }
        heap[at] = entry;
        position[entry] = at;
        return at;
    }

    private void siftDown(int start) {
        int at = start;
        int entry = heap[at];
        while (true) {
            int child = 2 * at + 1;
            if (child >= size) {
                break;
            }
            if (child + 1 < size && isBefore(heap[child + 1], heap[child])) {
                child++;
            }
            if (!isBefore(heap[child], entry)) {
                break;
            }
            heap[at] = heap[child];
            position[heap[at]] = at;
            at = child;
        }
        heap[at] = entry;
        position[entry] = at;
    }

    private boolean isBefore(int a, int b) {
        return key[a] < key[b] || (key[a] == key[b] && order[a] < order[b]);
    }
}
