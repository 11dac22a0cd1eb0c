package io.homa.wire;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;

/// ACK.
@HotPath
public final class AckHeader {
    public static final int LENGTH = 80;

    private AckHeader() {}

    public static int count(long header) {
        return Math.min(Memory.getShort(header + 28), 5);
    }

    public static void count(long header, int count) {
        Memory.putShort(header + 28, count);
    }

    public static long clientId(long header, int index) {
        return Memory.getLong(header + 30 + 10L * index);
    }

    public static int serverPort(long header, int index) {
        return Memory.getShort(header + 38 + 10L * index);
    }

    public static void ack(long header, int index, long clientId, int serverPort) {
        Memory.putLong(header + 30 + 10L * index, clientId);
        Memory.putShort(header + 38 + 10L * index, serverPort);
    }
}
