package io.homa.wire;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;

/// Ethernet header, with at most one VLAN tag (IEEE 802.3, 802.1Q).
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 6 | destination |
/// | 6 | 6 | source |
/// | 12 | 2 | type, or 0x8100 |
/// | 14 | 2 | with a tag: priority (3 bits), drop flag, VLAN id (12 bits) |
/// | 16 | 2 | with a tag: type |
///
/// Hardware addresses are the low 48 bits of a `long`.
@HotPath
public final class Ethernet {
    public static final int LENGTH = 14;
    public static final int TAGGED_LENGTH = 18;
    public static final int TYPE_IPV4 = 0x0800;
    public static final int TYPE_ARP = 0x0806;
    public static final int TYPE_VLAN = 0x8100;
    public static final int TYPE_IPV6 = 0x86DD;
    public static final long BROADCAST = 0xFFFF_FFFF_FFFFL;

    private static final long GROUP_BIT = 1L << 40;

    private Ethernet() {}

    public static long destination(long frame) {
        return Memory.getLong(frame) >>> 16;
    }

    public static long source(long frame) {
        return Memory.getLong(frame + 6) >>> 16;
    }

    public static int type(long frame) {
        return Memory.getShort(frame + 12);
    }

    /// Returns priority, drop flag and VLAN of a tagged frame.
    public static int tag(long frame) {
        return Memory.getShort(frame + LENGTH);
    }

    /// Returns the type behind the tag of a tagged frame.
    public static int taggedType(long frame) {
        return Memory.getShort(frame + 16);
    }

    /// Says whether an address is a group's, broadcast included.
    public static boolean isGroup(long mac) {
        return (mac & GROUP_BIT) != 0;
    }

    /// Writes all 14 bytes.
    public static void write(long frame, long destination, long source, int type) {
        Memory.putShort(frame, (int) (destination >>> 32));
        Memory.putInt(frame + 2, (int) destination);
        Memory.putShort(frame + 6, (int) (source >>> 32));
        Memory.putInt(frame + 8, (int) source);
        Memory.putShort(frame + 12, type);
    }
}
