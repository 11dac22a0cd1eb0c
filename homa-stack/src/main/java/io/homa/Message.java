package io.homa;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;
import io.homa.memory.Packet;
import java.lang.foreign.MemorySegment;

/// A received message: a view of the packets that it arrived in. Belongs to the thread that it was given to.
///
/// The view is valid until the handler that got it returns; then the packets go back by themselves. A handler
/// that wants to keep them calls [#keep] and gives them back later with the `release` of its client, server or
/// request. Reading is sequential from the first byte; copies do not move the reading position.
@HotPath
public final class Message {
    private long firstPacket;
    private int length;
    private long current;
    private int currentOffset;

    Message() {}

    /// Shows the chain that starts at `first`.
    void wrap(long first, int messageLength) {
        firstPacket = first;
        length = messageLength;
        rewind();
    }

    /// Shows a message that was kept, again from its first byte.
    ///
    /// @param kept what [#keep] returned
    /// @param messageLength its length
    public void wrapKept(long kept, int messageLength) {
        wrap(kept, messageLength);
    }

    /// Returns the length in bytes, 1…1,000,000.
    public int length() {
        return length;
    }

    /// Takes the packets over: they stay valid until they are released with this handle.
    public long keep() {
        long kept = firstPacket;
        firstPacket = 0;
        return kept;
    }

    /// Returns the chain if it was not kept, and forgets it.
    long takeRemaining() {
        return keep();
    }

    /// Goes back to the first byte.
    public void rewind() {
        current = firstPacket;
        currentOffset = 0;
    }

    /// Says whether all bytes lie behind each other at [#address].
    public boolean isContiguous() {
        return Packet.payloadLength(firstPacket) == length;
    }

    /// Returns the address of the first byte.
    public long address() {
        return Packet.payload(firstPacket);
    }

    /// Returns the number of bytes that have not been read.
    public int remaining() {
        return current == 0 ? 0 : length - Packet.messageOffset(current) - currentOffset;
    }

    /// Reads the next byte, 0…255.
    public int readByte() {
        if (remaining() < 1) {
            throw new IndexOutOfBoundsException("the message has no more bytes");
        }
        int value = Memory.getByte(Packet.payload(current) + currentOffset);
        skipInPacket(1);
        return value;
    }

    /// Reads the next four bytes, big-endian.
    public int readInt() {
        if (current != 0 && Packet.payloadLength(current) - currentOffset >= Integer.BYTES) {
            int value = Memory.getInt(Packet.payload(current) + currentOffset);
            skipInPacket(Integer.BYTES);
            return value;
        }
        int value = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            value = value << 8 | readByte();
        }
        return value;
    }

    /// Reads the next eight bytes, big-endian.
    public long readLong() {
        if (current != 0 && Packet.payloadLength(current) - currentOffset >= Long.BYTES) {
            long value = Memory.getLong(Packet.payload(current) + currentOffset);
            skipInPacket(Long.BYTES);
            return value;
        }
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            value = value << 8 | readByte();
        }
        return value;
    }

    /// Returns the address of the next unread byte; [#readableBytes] of them lie there, and [#skip] moves on.
    public long readAddress() {
        return Packet.payload(current) + currentOffset;
    }

    /// Returns how many unread bytes lie at [#readAddress].
    public int readableBytes() {
        return current == 0 ? 0 : Packet.payloadLength(current) - currentOffset;
    }

    /// Moves on by `bytes`, at most [#readableBytes].
    public void skip(int bytes) {
        if (bytes < 0 || bytes > readableBytes()) {
            throw new IndexOutOfBoundsException("skip is outside the bytes that lie together");
        }
        skipInPacket(bytes);
    }

    private void skipInPacket(int bytes) {
        currentOffset += bytes;
        if (currentOffset == Packet.payloadLength(current)) {
            current = Packet.link(current);
            currentOffset = 0;
        }
    }

    /// Copies the whole message to `target` from `targetOffset` on.
    public void copyTo(byte[] target, int targetOffset) {
        for (long packet = firstPacket; packet != 0; packet = Packet.link(packet)) {
            Memory.copyTo(
                    Packet.payload(packet),
                    target,
                    targetOffset + Packet.messageOffset(packet),
                    Packet.payloadLength(packet));
        }
    }

    /// Copies the whole message to `target` from `targetOffset` on.
    public void copyTo(MemorySegment target, long targetOffset) {
        for (long packet = firstPacket; packet != 0; packet = Packet.link(packet)) {
            Memory.copyTo(
                    Packet.payload(packet),
                    target,
                    targetOffset + Packet.messageOffset(packet),
                    Packet.payloadLength(packet));
        }
    }
}
