package io.homa.wire;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;

/// DATA header.
@HotPath
public final class DataHeader {
    public static final int LENGTH = 56;
    public static final int MAX_MESSAGE_LENGTH = 1_000_000;

    private DataHeader() {}

    public static boolean isValid(long header, int length) {
        long messageLength = messageLength(header);
        return messageLength >= 1
                && messageLength <= MAX_MESSAGE_LENGTH
                && offset(header) + (length - LENGTH) <= messageLength;
    }

    public static long messageLength(long header) {
        return Memory.getUnsignedInt(header + 28);
    }

    public static long incoming(long header) {
        return Memory.getUnsignedInt(header + 32);
    }

    public static long ackClientId(long header) {
        return Memory.getLong(header + 36);
    }

    public static void ackClientId(long header, long id) {
        Memory.putLong(header + 36, id);
    }

    public static int ackServerPort(long header) {
        return Memory.getShort(header + 44);
    }

    public static void ackServerPort(long header, int port) {
        Memory.putShort(header + 44, port);
    }

    public static int cutoffVersion(long header) {
        return Memory.getShort(header + 46);
    }

    public static long offset(long header) {
        long explicit = Memory.getUnsignedInt(header + 52);
        return explicit != 0xFFFF_FFFFL ? explicit : Memory.getUnsignedInt(header + 4);
    }

    public static void write(
            long header,
            int sourcePort,
            int destinationPort,
            long senderId,
            int messageLength,
            int incoming,
            int offset,
            boolean retransmit,
            int cutoffVersion) {
        HomaHeader.write(header, PacketType.DATA, sourcePort, destinationPort, senderId);
        Memory.putInt(header + 4, offset);
        Memory.putInt(header + 28, messageLength);
        Memory.putInt(header + 32, incoming);
        Memory.putLong(header + 36, 0);
        Memory.putInt(header + 44, cutoffVersion);
        Memory.putInt(header + 48, retransmit ? 1 << 24 : 0);
        Memory.putInt(header + 52, offset);
    }
}
