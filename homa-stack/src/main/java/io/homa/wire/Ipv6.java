package io.homa.wire;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;

/// IPv6 header (RFC 8200), without extension headers. Addresses are two longs, in network order.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 4 | version 6 (4 bits), traffic class (8 bits), flow label (20 bits) |
/// | 4 | 2 | length of what follows |
/// | 6 | 1 | next header |
/// | 7 | 1 | hop limit |
/// | 8 | 16 | source |
/// | 24 | 16 | destination |
@HotPath
public final class Ipv6 {
    public static final int LENGTH = 40;
    public static final int ADDRESS_LENGTH = 16;
    public static final int NEXT_ICMP = 58;

    private static final int PAYLOAD_LENGTH_OFFSET = 4;
    private static final int NEXT_HEADER_OFFSET = 6;
    private static final int HOP_LIMIT_OFFSET = 7;
    private static final int SOURCE_OFFSET = 8;
    private static final int DESTINATION_OFFSET = SOURCE_OFFSET + ADDRESS_LENGTH;
    private static final int HOP_LIMIT = 64;

    private Ipv6() {}

    /// Says whether `length` bytes at `ip` begin with a header whose own length fits into them.
    public static boolean isValid(long ip, int length) {
        return length >= LENGTH && Memory.getByte(ip) >>> 4 == 6 && LENGTH + payloadLength(ip) <= length;
    }

    public static int trafficClass(long ip) {
        return Memory.getShort(ip) >>> 4 & 0xFF;
    }

    /// Returns the length of what follows the header.
    public static int payloadLength(long ip) {
        return Memory.getShort(ip + PAYLOAD_LENGTH_OFFSET);
    }

    public static int nextHeader(long ip) {
        return Memory.getByte(ip + NEXT_HEADER_OFFSET);
    }

    public static int hopLimit(long ip) {
        return Memory.getByte(ip + HOP_LIMIT_OFFSET);
    }

    public static void hopLimit(long ip, int value) {
        Memory.putByte(ip + HOP_LIMIT_OFFSET, value);
    }

    public static long sourceHigh(long ip) {
        return Memory.getLong(ip + SOURCE_OFFSET);
    }

    public static long sourceLow(long ip) {
        return Memory.getLong(ip + SOURCE_OFFSET + Long.BYTES);
    }

    public static long destinationHigh(long ip) {
        return Memory.getLong(ip + DESTINATION_OFFSET);
    }

    public static long destinationLow(long ip) {
        return Memory.getLong(ip + DESTINATION_OFFSET + Long.BYTES);
    }

    /// Writes all 40 bytes: flow label 0, hop limit 64.
    public static void write(
            long ip,
            int trafficClass,
            int payloadLength,
            int nextHeader,
            long sourceHigh,
            long sourceLow,
            long destinationHigh,
            long destinationLow) {
        Memory.putInt(ip, 6 << 28 | trafficClass << 20);
        Memory.putInt(ip + PAYLOAD_LENGTH_OFFSET, payloadLength << 16 | nextHeader << 8 | HOP_LIMIT);
        Memory.putLong(ip + SOURCE_OFFSET, sourceHigh);
        Memory.putLong(ip + SOURCE_OFFSET + Long.BYTES, sourceLow);
        Memory.putLong(ip + DESTINATION_OFFSET, destinationHigh);
        Memory.putLong(ip + DESTINATION_OFFSET + Long.BYTES, destinationLow);
    }
}
