package io.homa.fabric;

import io.homa.memory.HotPath;
import java.util.Arrays;

/// Messages on their way in a simulation, by number. Numbers are used again. Grows when it has to. One thread.
@HotPath
public final class MessageTable {
    private int[] from = new int[1_024];
    private int[] to = new int[1_024];
    private int[] length = new int[1_024];
    private int[] answerLength = new int[1_024];
    private long[] startPs = new long[1_024];
    private long[] handle = new long[1_024];
    private int[] note = new int[1_024];
    private int[] free = new int[1_024];
    private int freeCount;

    MessageTable() {
        refill(0);
    }

    private void refill(int first) {
        for (int i = free.length - 1; i >= first; i--) {
            free[freeCount++] = i;
        }
    }

    int open(int sender, int receiver, int bytes, int answerBytes, int userNote, long nowPs) {
        if (freeCount == 0) {
            grow();
        }
        int message = free[--freeCount];
        from[message] = sender;
        to[message] = receiver;
        length[message] = bytes;
        answerLength[message] = answerBytes;
        startPs[message] = nowPs;
        note[message] = userNote;
        return message;
    }

    void close(int message) {
        free[freeCount++] = message;
    }

    private void grow() {
        int old = free.length;
        from = Arrays.copyOf(from, 2 * old);
        to = Arrays.copyOf(to, 2 * old);
        length = Arrays.copyOf(length, 2 * old);
        answerLength = Arrays.copyOf(answerLength, 2 * old);
        startPs = Arrays.copyOf(startPs, 2 * old);
        handle = Arrays.copyOf(handle, 2 * old);
        note = Arrays.copyOf(note, 2 * old);
        free = Arrays.copyOf(free, 2 * old);
        refill(old);
    }

    /// Returns how many messages are on their way.
    public int size() {
        return free.length - freeCount;
    }

    public int from(int message) {
        return from[message];
    }

    public int to(int message) {
        return to[message];
    }

    /// Returns the message's length in bytes.
    public int length(int message) {
        return length[message];
    }

    /// Returns the length of the answer, 0 if there will be none.
    public int answerLength(int message) {
        return answerLength[message];
    }

    /// Returns when the message was given to the sender's transport, in picoseconds.
    public long startPs(int message) {
        return startPs[message];
    }

    /// Returns what the application noted.
    public int note(int message) {
        return note[message];
    }

    long handle(int message) {
        return handle[message];
    }

    void handle(int message, long transportHandle) {
        handle[message] = transportHandle;
    }
}
