package io.homa.fabric.faults;

import io.homa.memory.Memory;
import io.homa.memory.Packet;

/// Contents of simulated messages: every byte follows from the message's tag and its place, and the first eight
/// bytes
/// are the tag. Messages shorter than that carry no tag; their bytes follow from the place alone.
final class MessagePattern {
    /// Bytes that a message needs to carry its tag.
    static final int TAG_BYTES = Long.BYTES;

    /// Tag of messages too short to carry one.
    static final long NO_TAG = -1;

    /// Set in the tag of a response.
    static final long RESPONSE = 1L << 62;

    private MessagePattern() {}

    private static long word(long tag, int index) {
        if (index == 0) {
            return tag;
        }
        long mixed = (tag + index) * 0x9E37_79B9_7F4A_7C15L;
        return mixed ^ (mixed >>> 29);
    }

    private static int byteAt(long tag, int offset) {
        return (int) (word(tag, offset >>> 3) >>> (56 - 8 * (offset & 7))) & 0xFF;
    }

    /// Writes the payload of one packet of a message.
    static void write(long packet, long tag) {
        long address = Packet.payload(packet);
        int offset = Packet.messageOffset(packet);
        int end = offset + Packet.payloadLength(packet);
        while (offset < end) {
            if ((offset & 7) == 0 && end - offset >= Long.BYTES) {
                Memory.putLong(address, word(tag, offset >>> 3));
                offset += Long.BYTES;
                address += Long.BYTES;
            } else {
                Memory.putByte(address++, byteAt(tag, offset++));
            }
        }
    }

    /// Returns the tag of a message from its first packet.
    static long tag(long firstPacket, int length) {
        if (length < TAG_BYTES) {
            return NO_TAG;
        }
        long tag = 0;
        long packet = firstPacket;
        int at = 0;
        for (int i = 0; i < TAG_BYTES; i++) {
            while (at == Packet.payloadLength(packet)) {
                packet = Packet.link(packet);
                at = 0;
            }
            tag = tag << 8 | Memory.getByte(Packet.payload(packet) + at++);
        }
        return tag;
    }

    /// Says whether the chain holds exactly the message of this tag and length.
    static boolean isIntact(long firstPacket, int length, long tag) {
        int expected = 0;
        for (long packet = firstPacket; packet != 0; packet = Packet.link(packet)) {
            if (Packet.messageOffset(packet) != expected || !isIntact(packet, tag)) {
                return false;
            }
            expected += Packet.payloadLength(packet);
        }
        return expected == length;
    }

    private static boolean isIntact(long packet, long tag) {
        long address = Packet.payload(packet);
        int offset = Packet.messageOffset(packet);
        int end = offset + Packet.payloadLength(packet);
        while (offset < end) {
            if ((offset & 7) == 0 && end - offset >= Long.BYTES) {
                if (Memory.getLong(address) != word(tag, offset >>> 3)) {
                    return false;
                }
                offset += Long.BYTES;
                address += Long.BYTES;
            } else if (Memory.getByte(address++) != byteAt(tag, offset++)) {
                return false;
            }
        }
        return true;
    }
}
