package io.homa.wire;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;

/// ICMP header (RFC 792).
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 1 | type |
/// | 1 | 1 | code |
/// | 2 | 2 | checksum over everything |
/// | 4 | 4 | depends on the type |
@HotPath
public final class Icmp {
    public static final int LENGTH = 8;
    public static final int ECHO_REPLY = 0;
    public static final int UNREACHABLE = 3;
    public static final int ECHO_REQUEST = 8;

    public static final int CODE_PROTOCOL = 2;
    public static final int CODE_PORT = 3;
    public static final int CODE_FRAGMENTATION_NEEDED = 4;

    private Icmp() {}

    public static int type(long icmp) {
        return Memory.getByte(icmp);
    }

    public static int code(long icmp) {
        return Memory.getByte(icmp + 1);
    }

    /// Returns the four bytes whose meaning depends on the type; of fragmentation needed, the low half is the MTU.
    public static int rest(long icmp) {
        return Memory.getInt(icmp + 4);
    }

    /// Writes the 8 bytes for a message of `length` bytes whose other bytes are there already, and the checksum
    /// over all.
    public static void write(long icmp, int type, int code, int rest, int length) {
        Memory.putShort(icmp, type << 8 | code);
        Memory.putShort(icmp + 2, 0);
        Memory.putInt(icmp + 4, rest);
        Memory.putShort(icmp + 2, Checksum.of(icmp, length));
    }

    /// Turns an echo request of `length` bytes into its reply.
    public static void reply(long icmp, int length) {
        write(icmp, ECHO_REPLY, 0, Memory.getInt(icmp + 4), length);
    }
}
