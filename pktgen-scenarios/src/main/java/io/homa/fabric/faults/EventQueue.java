package io.homa.fabric.faults;

import java.util.Arrays;

/// Events in the order of their times, those of one time in the order in which they were added: a binary heap of
/// primitive arrays, so that a simulation of many millions of events makes no garbage. An event is a kind, a
/// target and
/// one value; what they mean is up to the user. One thread.
final class EventQueue {
    private long[] timeNs = new long[1024];
    private long[] order = new long[1024];
    private int[] kind = new int[1024];
    private int[] target = new int[1024];
    private long[] value = new long[1024];
    private int size;
    private long added;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    void add(long atNs, int eventKind, int eventTarget, long eventValue) {
        if (size == timeNs.length) {
            grow();
        }
        int at = size++;
        long myOrder = added++;
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (timeNs[parent] <= atNs) {
                break;
            }
            move(parent, at);
            at = parent;
        }
        timeNs[at] = atNs;
        order[at] = myOrder;
        kind[at] = eventKind;
        target[at] = eventTarget;
        value[at] = eventValue;
    }

    /// Returns the time of the first event. Only if there is one, like the next three.
    long firstNs() {
        return timeNs[0];
    }

    int firstKind() {
        return kind[0];
    }

    int firstTarget() {
        return target[0];
    }

    long firstValue() {
        return value[0];
    }

    void removeFirst() {
        int last = --size;
        if (last == 0) {
            return;
        }
        int at = 0;
        while (true) {
            int child = 2 * at + 1;
            if (child >= last) {
                break;
            }
            if (child + 1 < last && isBefore(child + 1, child)) {
                child++;
            }
            if (!isBefore(child, last)) {
                break;
            }
            move(child, at);
            at = child;
        }
        move(last, at);
    }

    private boolean isBefore(int a, int b) {
        return timeNs[a] < timeNs[b] || (timeNs[a] == timeNs[b] && order[a] < order[b]);
    }

    private void move(int from, int to) {
        timeNs[to] = timeNs[from];
        order[to] = order[from];
        kind[to] = kind[from];
        target[to] = target[from];
        value[to] = value[from];
    }

    private void grow() {
        int capacity = timeNs.length * 2;
        timeNs = Arrays.copyOf(timeNs, capacity);
        order = Arrays.copyOf(order, capacity);
        kind = Arrays.copyOf(kind, capacity);
        target = Arrays.copyOf(target, capacity);
        value = Arrays.copyOf(value, capacity);
    }
}
