package io.homa.scenario;

import io.homa.memory.HotPath;
import java.util.Arrays;

/// Transfers on their way, by number. Numbers are used again. Grows when it has to. One thread.
@HotPath
final class Transfers {
    private static final int FIELDS = 8;
    private static final int FROM = 0;
    private static final int TO = 1;
    private static final int BYTES = 2;
    private static final int ANSWER = 3;
    private static final int NOTE = 4;
    private static final int OWNER = 5;
    private static final int UNSENT = 6;
    private static final int OPEN = 7;

    private int[] fields = new int[FIELDS * 1_024];
    private long[] startPs = new long[1_024];
    private int[] free = new int[1_024];
    private int freeCount;

    Transfers() {
        refill(0);
    }

    private void refill(int first) {
        for (int i = free.length - 1; i >= first; i--) {
            free[freeCount++] = i;
        }
    }

    int open(int owner, int from, int to, int bytes, int answerBytes, int note, long nowPs) {
        if (freeCount == 0) {
            grow();
        }
        int transfer = free[--freeCount];
        int at = transfer * FIELDS;
        fields[at + FROM] = from;
        fields[at + TO] = to;
        fields[at + BYTES] = bytes;
        fields[at + ANSWER] = answerBytes;
        fields[at + NOTE] = note;
        fields[at + OWNER] = owner;
        fields[at + UNSENT] = bytes;
        fields[at + OPEN] = 0;
        startPs[transfer] = nowPs;
        return transfer;
    }

    void close(int transfer) {
        free[freeCount++] = transfer;
    }

    private void grow() {
        int old = free.length;
        fields = Arrays.copyOf(fields, 2 * fields.length);
        startPs = Arrays.copyOf(startPs, 2 * old);
        free = Arrays.copyOf(free, 2 * old);
        refill(old);
    }

    /// Returns how many transfers are on their way.
    int size() {
        return free.length - freeCount;
    }

    int from(int transfer) {
        return fields[transfer * FIELDS + FROM];
    }

    int to(int transfer) {
        return fields[transfer * FIELDS + TO];
    }

    int bytes(int transfer) {
        return fields[transfer * FIELDS + BYTES];
    }

    int answerBytes(int transfer) {
        return fields[transfer * FIELDS + ANSWER];
    }

    int note(int transfer) {
        return fields[transfer * FIELDS + NOTE];
    }

    int owner(int transfer) {
        return fields[transfer * FIELDS + OWNER];
    }

    long startPs(int transfer) {
        return startPs[transfer];
    }

    /// Returns the bytes of which no part has been given to the transport.
    int unsent(int transfer) {
        return fields[transfer * FIELDS + UNSENT];
    }

    /// A part of `bytes` is given to the transport.
    void sendPart(int transfer, int bytes) {
        fields[transfer * FIELDS + UNSENT] -= bytes;
        fields[transfer * FIELDS + OPEN]++;
    }

    /// A part has ended; returns how many are still on their way.
    int endPart(int transfer) {
        return --fields[transfer * FIELDS + OPEN];
    }

    /// Nothing more of it will be sent.
    void giveUp(int transfer) {
        fields[transfer * FIELDS + UNSENT] = 0;
        startPs[transfer] = -1;
    }

    boolean isGivenUp(int transfer) {
        return startPs[transfer] < 0;
    }
}
