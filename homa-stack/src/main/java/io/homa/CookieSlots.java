package io.homa;

import io.homa.memory.HotPath;

/// The applications' cookies of outstanding requests, by slot. One thread.
@HotPath
final class CookieSlots {
    private final long[] cookies;
    private final int[] free;
    private int freeCount;

    CookieSlots(int capacity) {
        cookies = new long[capacity];
        free = new int[capacity];
        for (int i = 0; i < capacity; i++) {
            free[i] = capacity - 1 - i;
        }
        freeCount = capacity;
    }

    /// Returns a slot for `cookie`, or −1 when all are taken.
    int take(long cookie) {
        if (freeCount == 0) {
            return -1;
        }
        int slot = free[--freeCount];
        cookies[slot] = cookie;
        return slot;
    }

    long cookie(int slot) {
        return cookies[slot];
    }

    void free(int slot) {
        free[freeCount++] = slot;
    }

    int outstanding() {
        return cookies.length - freeCount;
    }
}
