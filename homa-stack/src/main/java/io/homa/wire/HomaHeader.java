package io.homa.wire;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;

/// The 28 bytes that every Homa packet begins with; they mirror a TCP header (protocol reference 2.2).
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 2 | source port |
/// | 2 | 2 | destination port |
/// | 4 | 4 | sequence: message offset in DATA, else 0 |
/// | 8 | 3 | unused, 0 |
/// | 11 | 1 | type |
/// | 12 | 1 | data offset: 0xE0 in DATA, else 0x50 |
/// | 13 | 1 | flags, 0x06 |
/// | 14 | 2 | window, 0 |
/// | 16 | 2 | checksum |
/// | 18 | 2 | urgent, 0xB97D |
/// | 20 | 8 | RPC id as the sender knows it |
@HotPath
public final class HomaHeader {
    public static final int LENGTH = 28;
    public static final int SOURCE_PORT_OFFSET = 0;
    public static final int DESTINATION_PORT_OFFSET = 2;
    public static final int SEQUENCE_OFFSET = 4;
    public static final int TYPE_OFFSET = 11;
    public static final int DATA_OFFSET_OFFSET = 12;
    public static final int FLAGS_OFFSET = 13;
    public static final int WINDOW_OFFSET = 14;
    public static final int CHECKSUM_OFFSET = 16;
    public static final int URGENT_OFFSET = 18;
    public static final int SENDER_ID_OFFSET = 20;

    public static final int DATA_DATA_OFFSET = 0xE0;
    public static final int CONTROL_DATA_OFFSET = 0x50;
    public static final int FLAGS = 0x06;
    public static final int URGENT = 0xB97D;

    private HomaHeader() {}

    public static int sourcePort(long header) {
        return Memory.getShort(header + SOURCE_PORT_OFFSET);
    }

    public static int destinationPort(long header) {
        return Memory.getShort(header + DESTINATION_PORT_OFFSET);
    }

    /// Returns the raw sequence field: the message offset in DATA without an explicit one.
    public static int sequence(long header) {
        return Memory.getInt(header + SEQUENCE_OFFSET);
    }

    public static void sequence(long header, int value) {
        Memory.putInt(header + SEQUENCE_OFFSET, value);
    }

    public static int type(long header) {
        return Memory.getByte(header + TYPE_OFFSET);
    }

    /// Returns the TCP-like header length field; no receiver uses it.
    public static int dataOffset(long header) {
        return Memory.getByte(header + DATA_OFFSET_OFFSET);
    }

    public static void dataOffset(long header, int value) {
        Memory.putByte(header + DATA_OFFSET_OFFSET, value);
    }

    public static int flags(long header) {
        return Memory.getByte(header + FLAGS_OFFSET);
    }

    public static int window(long header) {
        return Memory.getShort(header + WINDOW_OFFSET);
    }

    public static int checksum(long header) {
        return Memory.getShort(header + CHECKSUM_OFFSET);
    }

    public static void checksum(long header, int value) {
        Memory.putShort(header + CHECKSUM_OFFSET, value);
    }

    public static int urgent(long header) {
        return Memory.getShort(header + URGENT_OFFSET);
    }

    /// Says whether `length` bytes in a packet of TCP are Homa's: no TCP sends its marks.
    public static boolean isInTcp(long header, int length) {
        return length >= LENGTH && flags(header) == FLAGS && urgent(header) == URGENT;
    }

    public static long senderId(long header) {
        return Memory.getLong(header + SENDER_ID_OFFSET);
    }

    /// Returns the RPC id as the receiver of the packet knows it.
    public static long localId(long header) {
        return senderId(header) ^ 1;
    }

    /// Writes all 28 bytes; the checksum is 0 until the network layer fills it.
    ///
    /// @param senderId the RPC's id as this host knows it
    public static void write(long header, int type, int sourcePort, int destinationPort, long senderId) {
        Memory.putShort(header + SOURCE_PORT_OFFSET, sourcePort);
        Memory.putShort(header + DESTINATION_PORT_OFFSET, destinationPort);
        Memory.putInt(header + SEQUENCE_OFFSET, 0);
        Memory.putInt(header + 8, type);
        int dataOffset = type == PacketType.DATA ? DATA_DATA_OFFSET : CONTROL_DATA_OFFSET;
        Memory.putInt(header + DATA_OFFSET_OFFSET, dataOffset << 24 | FLAGS << 16);
        Memory.putInt(header + CHECKSUM_OFFSET, URGENT);
        Memory.putLong(header + SENDER_ID_OFFSET, senderId);
    }
}
