package io.homa.fabric;

import io.homa.memory.HotPath;
import java.util.Arrays;

/// A queue of numbers that grows when it has to. One thread.
@HotPath
final class IntQueue {
    private int[] ring = new int[16];
    private int head;
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    void add(int number) {
        if (size == ring.length) {
            grow();
        }
        ring[(head + size++) & (ring.length - 1)] = number;
    }

    int first() {
        return ring[head];
    }

    void removeFirst() {
        head = (head + 1) & (ring.length - 1);
        size--;
    }

    private void grow() {
        int[] old = ring;
        ring = Arrays.copyOf(old, 2 * old.length);
        for (int i = 0; i < size; i++) {
            ring[i] = old[(head + i) & (old.length - 1)];
        }
        head = 0;
    }
}
