package io.homa.wire;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;

/// ICMPv6 header (RFC 4443).
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 1 | type |
/// | 1 | 1 | code |
/// | 2 | 2 | checksum over a pseudo-header and everything |
/// | 4 | 4 | depends on the type |
@HotPath
public final class Icmpv6 {
    public static final int LENGTH = 8;
    public static final int UNREACHABLE = 1;
    public static final int PARAMETER_PROBLEM = 4;

    /// Code of unreachable: nobody listens on the port.
    public static final int CODE_PORT = 4;

    /// Code of a parameter problem: the next header is not known.
    public static final int CODE_NEXT_HEADER = 1;

    private Icmpv6() {}

    public static int type(long icmp) {
        return Memory.getByte(icmp);
    }

    public static int code(long icmp) {
        return Memory.getByte(icmp + 1);
    }

    /// Says whether the message that follows the IPv6 header at `ip` has its right checksum.
    public static boolean hasRightChecksum(long ip) {
        return checksum(ip) == 0;
    }

    /// Writes the 8 bytes behind the IPv6 header at `ip`, whose other bytes are there already, and the checksum
    /// over
    /// all.
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
