package io.homa.fabric;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;
import io.homa.memory.Packet;

/// What the fabric notes in a packet that is on its way, in the private fields that its receiver will use for other
/// things. Static functions over an address.
@HotPath
final class FabricPacket {
    private static final int MARKED = 1 << 30;

    private FabricPacket() {}

    /// Addresses a packet.
    static void address(long packet, int from, int to, int priority, int wireBytes) {
        Packet.peer(packet, to);
        Packet.priority(packet, priority);
        Packet.flags(packet, from);
        Packet.timeStampNs(packet, wireBytes);
    }

    static int from(long packet) {
        return Packet.flags(packet) & ~MARKED;
    }

    static int to(long packet) {
        return Packet.peer(packet);
    }

    /// Returns the bytes of link time that the packet takes: with all headers, preamble and gap.
    static int wireBytes(long packet) {
        return (int) Packet.timeStampNs(packet);
    }

    /// Says whether a switch noticed congestion.
    static boolean isMarked(long packet) {
        return (Packet.flags(packet) & MARKED) != 0;
    }

    static void mark(long packet) {
        Packet.flags(packet, Packet.flags(packet) | MARKED);
    }

    /// Makes `copy`, which is new, a packet like `packet`.
    static void copy(long packet, long copy) {
        int length = Packet.length(packet);
        Packet.frame(copy, Packet.dataOffset(packet), length);
        Memory.copy(Packet.data(packet), Packet.data(copy), Math.min(length, HeaderPool.COPIED_BYTES));
        address(copy, from(packet), to(packet), Packet.priority(packet), wireBytes(packet));
    }
}
