package io.homa.wire;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;

/// ACK: a client has the responses of some RPCs, that of the common header and up to five more (protocol
/// reference 2.10).
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 28 | common header; its id names one RPC |
/// | 28 | 2 | number of further RPCs, 0…5 |
/// | 30 | 5 × 10 | client id (8) and server port (2) of each; the size does not depend on the number |
@HotPath
public final class AckHeader {
    public static final int LENGTH = 80;
    public static final int CAPACITY = 5;
    public static final int COUNT_OFFSET = 28;
    public static final int ACKS_OFFSET = 30;
    public static final int ACK_LENGTH = 10;

    private AckHeader() {}

    /// Returns the number of further RPCs, at most [#CAPACITY] whatever the packet says.
    public static int count(long header) {
        return Math.min(Memory.getShort(header + COUNT_OFFSET), CAPACITY);
    }

    public static void count(long header, int count) {
        Memory.putShort(header + COUNT_OFFSET, count);
    }

    public static long clientId(long header, int index) {
        return Memory.getLong(header + ACKS_OFFSET + (long) ACK_LENGTH * index);
    }

    public static int serverPort(long header, int index) {
        return Memory.getShort(header + ACKS_OFFSET + 8 + (long) ACK_LENGTH * index);
    }

    /// Writes entry `index`, 0…4.
    public static void ack(long header, int index, long clientId, int serverPort) {
        Memory.putLong(header + ACKS_OFFSET + (long) ACK_LENGTH * index, clientId);
        Memory.putShort(header + ACKS_OFFSET + 8 + (long) ACK_LENGTH * index, serverPort);
    }
}
