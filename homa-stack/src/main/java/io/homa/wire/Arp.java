package io.homa.wire;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;

/// ARP for IPv4 over Ethernet (RFC 826).
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 2 | hardware type, 1 |
/// | 2 | 2 | protocol type, 0x0800 |
/// | 4 | 2 | address lengths, 6 and 4 |
/// | 6 | 2 | operation |
/// | 8 | 6 | sender's hardware address |
/// | 14 | 4 | sender's IPv4 address |
/// | 18 | 6 | target's hardware address |
/// | 24 | 4 | target's IPv4 address |
@HotPath
public final class Arp {
    public static final int LENGTH = 28;
    public static final int REQUEST = 1;
    public static final int REPLY = 2;

    private static final int TYPES = 0x0001_0800;
    private static final int LENGTHS = 0x0604;

    private Arp() {}

    /// Says whether `length` bytes at `arp` are ARP for IPv4 over Ethernet.
    public static boolean isValid(long arp, int length) {
        return length >= LENGTH && Memory.getInt(arp) == TYPES && Memory.getShort(arp + 4) == LENGTHS;
    }

    public static int operation(long arp) {
        return Memory.getShort(arp + 6);
    }

    public static long senderMac(long arp) {
        return Memory.getLong(arp + 8) >>> 16;
    }

    public static int senderIp(long arp) {
        return Memory.getInt(arp + 14);
    }

    public static int targetIp(long arp) {
        return Memory.getInt(arp + 24);
    }

    /// Writes all 28 bytes.
    public static void write(long arp, int operation, long senderMac, int senderIp, long targetMac, int targetIp) {
        Memory.putInt(arp, TYPES);
        Memory.putShort(arp + 4, LENGTHS);
        Memory.putShort(arp + 6, operation);
        Memory.putShort(arp + 8, (int) (senderMac >>> 32));
        Memory.putInt(arp + 10, (int) senderMac);
        Memory.putInt(arp + 14, senderIp);
        Memory.putShort(arp + 18, (int) (targetMac >>> 32));
        Memory.putInt(arp + 20, (int) targetMac);
        Memory.putInt(arp + 24, targetIp);
    }
}
