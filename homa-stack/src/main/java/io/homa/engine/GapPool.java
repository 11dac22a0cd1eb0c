package io.homa.engine;

import io.homa.memory.HotPath;

/// The missing ranges of all incoming messages, in arrays of fixed size. A gap is an index; the gaps of one
/// message form a list in offset order. Engine thread only.
@HotPath
final class GapPool {
    static final int NONE = -1;

    private final int[] start;
    private final int[] end;
    private final int[] next;
    private final long[] packetBefore;
    private final long[] sinceNs;
    private final long[] requestedNs;
    private final int[] requests;
    private int free;
    private int freeCount;

    GapPool(int capacity) {
        start = new int[capacity];
        end = new int[capacity];
        next = new int[capacity];
        packetBefore = new long[capacity];
        sinceNs = new long[capacity];
        requestedNs = new long[capacity];
        requests = new int[capacity];
        for (int i = 0; i < capacity; i++) {
            next[i] = i + 1 < capacity ? i + 1 : NONE;
        }
        freeCount = capacity;
    }

    int available() {
        return freeCount;
    }

    int capacity() {
        return start.length;
    }

    /// Takes a gap `[from, to)` that follows `previousPacket` (0 at the start of the message); NONE when all are
    /// in use.
    int allocate(int from, int to, long previousPacket, long nowNs) {
        int gap = free;
        if (gap == NONE) {
            return NONE;
        }
        free = next[gap];
        freeCount--;
        start[gap] = from;
        end[gap] = to;
        next[gap] = NONE;
        packetBefore[gap] = previousPacket;
        sinceNs[gap] = nowNs;
        requestedNs[gap] = 0;
        requests[gap] = 0;
        return gap;
    }

    void free(int gap) {
        next[gap] = free;
        free = gap;
        freeCount++;
    }

    int start(int gap) {
        return start[gap];
    }

    void start(int gap, int offset) {
        start[gap] = offset;
    }

    int end(int gap) {
        return end[gap];
    }

    void end(int gap, int offset) {
        end[gap] = offset;
    }

    int next(int gap) {
        return next[gap];
    }

    void next(int gap, int following) {
        next[gap] = following;
    }

    /// Returns the packet after which the missing ones belong, or 0 for the start of the message.
    long packetBefore(int gap) {
        return packetBefore[gap];
    }

    void packetBefore(int gap, long packet) {
        packetBefore[gap] = packet;
    }

    /// Returns when the gap was noticed.
    long sinceNs(int gap) {
        return sinceNs[gap];
    }

    /// Returns when the gap was last asked for, or 0.
    long requestedNs(int gap) {
        return requestedNs[gap];
    }

    /// Returns how often the gap was asked for.
    int requests(int gap) {
        return requests[gap];
    }

    void requested(int gap, long timeNs) {
        requestedNs[gap] = timeNs;
        requests[gap]++;
    }

    /// Makes `gap`, split off from `other`, as old and as often asked for.
    void inheritRequests(int gap, int other) {
        requestedNs[gap] = requestedNs[other];
        requests[gap] = requests[other];
    }
}
