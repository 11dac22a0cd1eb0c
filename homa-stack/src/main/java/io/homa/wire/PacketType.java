package io.homa.wire;

import io.homa.memory.HotPath;

/// Types of Homa packets and how short each may be (protocol reference 2.3).
@HotPath
public final class PacketType {
    public static final int DATA = 0x10;
    public static final int GRANT = 0x11;
    public static final int RESEND = 0x12;
    public static final int RPC_UNKNOWN = 0x13;
    public static final int BUSY = 0x14;
    public static final int CUTOFFS = 0x15;
    public static final int FREEZE = 0x16;
    public static final int NEED_ACK = 0x17;
    public static final int ACK = 0x18;

    private PacketType() {}

    /// Returns the shortest legal packet of `type` in bytes, or 0 for a type that does not exist.
    public static int minimumLength(int type) {
        return switch (type) {
            case DATA -> DataHeader.LENGTH;
            case GRANT -> GrantHeader.LENGTH;
            case RESEND -> ResendHeader.LENGTH;
            case RPC_UNKNOWN, BUSY, FREEZE, NEED_ACK -> HomaHeader.LENGTH;
            case CUTOFFS -> CutoffsHeader.LENGTH;
            case ACK -> AckHeader.LENGTH;
            default -> 0;
        };
    }

    /// Says whether `length` bytes at `header` are a packet of a known type that is long enough. Longer control
    /// packets are fine.
    public static boolean isValid(long header, int length) {
        if (length < HomaHeader.LENGTH) {
            return false;
        }
        int minimum = minimumLength(HomaHeader.type(header));
        return minimum != 0 && length >= minimum;
    }
}
