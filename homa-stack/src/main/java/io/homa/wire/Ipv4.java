package io.homa.wire;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;

/// IPv4 header (RFC 791). Addresses are ints in network order.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 1 | version 4 and header length in words |
/// | 1 | 1 | TOS: DSCP and ECN |
/// | 2 | 2 | total length |
/// | 4 | 2 | id |
/// | 6 | 2 | flags and fragment offset |
/// | 8 | 1 | time to live |
/// | 9 | 1 | protocol |
/// | 10 | 2 | header checksum |
/// | 12 | 4 | source |
/// | 16 | 4 | destination |
@HotPath
public final class Ipv4 {
    public static final int LENGTH = 20;
    public static final int PROTOCOL_ICMP = 1;
    public static final int PROTOCOL_TCP = 6;
    public static final int PROTOCOL_HOMA = 146;

    private static final int DONT_FRAGMENT = 0x4000;
    private static final int FRAGMENT_MASK = 0x3FFF;
    private static final int TIME_TO_LIVE = 64;

    private Ipv4() {}

    /// Says whether `length` bytes at `ip` begin with a header whose own lengths fit into them.
    public static boolean isValid(long ip, int length) {
        if (length < LENGTH || Memory.getByte(ip) >>> 4 != 4) {
            return false;
        }
        int header = headerLength(ip);
        int total = totalLength(ip);
        return header >= LENGTH && header <= total && total <= length;
    }

    /// Says whether the header checksum is right. The header must be valid.
    public static boolean hasRightChecksum(long ip) {
        return Checksum.of(ip, headerLength(ip)) == 0;
    }

    /// Returns the header's length in bytes, options included.
    public static int headerLength(long ip) {
        return (Memory.getByte(ip) & 0x0F) * 4;
    }

    public static int tos(long ip) {
        return Memory.getByte(ip + 1);
    }

    public static int totalLength(long ip) {
        return Memory.getShort(ip + 2);
    }

    public static boolean isFragment(long ip) {
        return (Memory.getShort(ip + 6) & FRAGMENT_MASK) != 0;
    }

    public static int protocol(long ip) {
        return Memory.getByte(ip + 9);
    }

    public static int source(long ip) {
        return Memory.getInt(ip + 12);
    }

    public static int destination(long ip) {
        return Memory.getInt(ip + 16);
    }

    /// Writes all 20 bytes, the checksum included: no options, don't fragment, id 0, time to live 64.
    public static void write(long ip, int tos, int totalLength, int protocol, int source, int destination) {
        Memory.putShort(ip, 0x4500 | tos);
        Memory.putShort(ip + 2, totalLength);
        Memory.putInt(ip + 4, DONT_FRAGMENT);
        Memory.putInt(ip + 8, TIME_TO_LIVE << 24 | protocol << 16);
        Memory.putInt(ip + 12, source);
        Memory.putInt(ip + 16, destination);
        Memory.putShort(ip + 10, Checksum.of(ip, LENGTH));
    }
}
