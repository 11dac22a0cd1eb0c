package io.homa.wire;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;

/// ICMPv6 header (RFC 4443) and neighbour discovery (RFC 4861).
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 1 | type |
/// | 1 | 1 | code |
/// | 2 | 2 | checksum over a pseudo-header and everything |
/// | 4 | 4 | depends on the type: the MTU of packet too big, the flags of an advertisement |
/// | 8 | 16 | solicitations and advertisements: target |
/// | 24 | 8 | option: type 1 (source) or 2 (target), length 1, hardware address |
@HotPath
public final class Icmpv6 {
    public static final int LENGTH = 8;
    public static final int UNREACHABLE = 1;
    public static final int PACKET_TOO_BIG = 2;
    public static final int PARAMETER_PROBLEM = 4;
    public static final int ECHO_REQUEST = 128;
    public static final int ECHO_REPLY = 129;
    public static final int SOLICITATION = 135;
    public static final int ADVERTISEMENT = 136;

    /// Code of unreachable: nobody listens on the port.
    public static final int CODE_PORT = 4;

    /// Code of a parameter problem: the next header is not known.
    public static final int CODE_NEXT_HEADER = 1;

    /// Bytes of a solicitation or advertisement with its option.
    public static final int NEIGHBOUR_LENGTH = 32;

    /// Hop limit of neighbour discovery, which proves that no router has passed it on.
    public static final int NEIGHBOUR_HOP_LIMIT = 255;

    /// Flag of an advertisement: it answers a solicitation.
    public static final int SOLICITED = 0x4000_0000;

    /// Flag of an advertisement: it replaces what was known.
    public static final int OVERRIDE = 0x2000_0000;

    private static final int TARGET_OFFSET = 8;
    private static final int OPTIONS_OFFSET = 24;
    private static final int OPTION_UNIT = 8;
    private static final int OPTION_SOURCE = 1;
    private static final int OPTION_TARGET = 2;

    private Icmpv6() {}

    public static int type(long icmp) {
        return Memory.getByte(icmp);
    }

    public static int code(long icmp) {
        return Memory.getByte(icmp + 1);
    }

    /// Returns the four bytes whose meaning depends on the type.
    public static int rest(long icmp) {
        return Memory.getInt(icmp + 4);
    }

    public static long targetHigh(long icmp) {
        return Memory.getLong(icmp + TARGET_OFFSET);
    }

    public static long targetLow(long icmp) {
        return Memory.getLong(icmp + TARGET_OFFSET + Long.BYTES);
    }

    /// Says whether `length` bytes at `icmp` can be a solicitation or advertisement: long enough, code 0, and options
    /// that end where the message does.
    public static boolean isNeighbourMessage(long icmp, int length) {
        if (length < OPTIONS_OFFSET || code(icmp) != 0) {
            return false;
        }
        int at = OPTIONS_OFFSET;
        while (at + OPTION_UNIT <= length && Memory.getByte(icmp + at + 1) != 0) {
            at += OPTION_UNIT * Memory.getByte(icmp + at + 1);
        }
        return at == length;
    }

    /// Returns the hardware address that a valid message gives (the sender's of a solicitation, the target's of an
    /// advertisement); 0 if it gives none.
    public static long hardwareAddress(long icmp, int length) {
        int wanted = type(icmp) == SOLICITATION ? OPTION_SOURCE : OPTION_TARGET;
        for (int at = OPTIONS_OFFSET; at < length; at += OPTION_UNIT * Memory.getByte(icmp + at + 1)) {
            if (Memory.getByte(icmp + at) == wanted) {
                return Memory.getLong(icmp + at) & 0xFFFF_FFFF_FFFFL;
            }
        }
        return 0;
    }

    /// Writes target and option of a solicitation or advertisement; the header comes last, see [#write].
    public static void writeNeighbour(long icmp, boolean isSolicitation, long high, long low, long mac) {
        Memory.putLong(icmp + TARGET_OFFSET, high);
        Memory.putLong(icmp + TARGET_OFFSET + Long.BYTES, low);
        long option = isSolicitation ? OPTION_SOURCE : OPTION_TARGET;
        Memory.putLong(icmp + OPTIONS_OFFSET, option << 56 | 1L << 48 | mac);
    }

    /// Says whether the message that follows the IPv6 header at `ip` has its right checksum.
    public static boolean hasRightChecksum(long ip) {
        return checksum(ip) == 0;
    }

    /// Writes the 8 bytes behind the IPv6 header at `ip`, whose other bytes are there already, and the checksum
    /// over all.
    public static void write(long ip, int type, int code, int rest) {
        long icmp = ip + Ipv6.LENGTH;
        Memory.putShort(icmp, type << 8 | code);
        Memory.putShort(icmp + 2, 0);
        Memory.putInt(icmp + 4, rest);
        Memory.putShort(icmp + 2, checksum(ip));
    }

    private static int checksum(long ip) {
        int length = Ipv6.payloadLength(ip);
        long sum = Checksum.add(0, ip + Ipv6.LENGTH - 2 * Ipv6.ADDRESS_LENGTH, 2 * Ipv6.ADDRESS_LENGTH + length);
        return Checksum.finish(Checksum.addShort(Checksum.addInt(sum, length), Ipv6.NEXT_ICMP));
    }
}
