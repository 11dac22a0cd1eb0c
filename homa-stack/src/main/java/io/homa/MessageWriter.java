package io.homa;

import io.homa.engine.Segmentation;
import io.homa.memory.HotPath;
import io.homa.memory.Memory;
import io.homa.memory.Packet;
import java.lang.foreign.MemorySegment;

/// A message in the making: bytes go straight into the packets that will carry it. Belongs to the thread that
/// claimed it.
///
/// Every byte of the claimed length must be written, in order, before the message is sent; the writer hides where
/// packets begin.
@HotPath
public final class MessageWriter {
    private final Outbox outbox;
    private long firstPacket;
    private long lastPacket;
    private int length;
    private long current;
    private int currentOffset;
    private int written;

    MessageWriter(Outbox outbox) {
        this.outbox = outbox;
    }

    /// Starts a message without packets.
    void begin(int messageLength) {
        firstPacket = 0;
        lastPacket = 0;
        length = messageLength;
        written = 0;
    }

    /// Appends a fresh packet for the segment at `offset`.
    void append(long packet, Segmentation segmentation, int offset) {
        Packet.payload(packet, Packet.HEADROOM, segmentation.segmentLength(offset, length));
        Packet.messageOffset(packet, offset);
        Packet.link(packet, 0);
        if (lastPacket == 0) {
            firstPacket = packet;
            current = packet;
            currentOffset = 0;
        } else {
            Packet.link(lastPacket, packet);
        }
        lastPacket = packet;
    }

    /// Returns the chain for sending and forgets it.
    ///
    /// @throws IllegalStateException if a byte is missing, which would send what the memory held before
    long takeWritten() {
        if (written != length) {
            throw new IllegalStateException("not every byte of the message was written");
        }
        return take();
    }

    /// Returns the chain and forgets it; 0 if it was taken before.
    private long take() {
        long first = firstPacket;
        firstPacket = 0;
        current = 0;
        return first;
    }

    /// Takes a chain back that could not be sent.
    void restore(long first) {
        firstPacket = first;
    }

    /// Returns the claimed length in bytes.
    public int length() {
        return length;
    }

    /// Returns the number of bytes still to be written.
    public int remaining() {
        return length - written;
    }

    /// Writes a byte.
    public MessageWriter putByte(int value) {
        require(1);
        Memory.putByte(Packet.payload(current) + currentOffset, value);
        advance(1);
        return this;
    }

    /// Writes four bytes, big-endian.
    public MessageWriter putInt(int value) {
        require(Integer.BYTES);
        if (writableBytes() >= Integer.BYTES) {
            Memory.putInt(writeAddress(), value);
            advance(Integer.BYTES);
        } else {
            for (int shift = 24; shift >= 0; shift -= 8) {
                putByte(value >>> shift);
            }
        }
        return this;
    }

    /// Writes eight bytes, big-endian.
    public MessageWriter putLong(long value) {
        require(Long.BYTES);
        if (writableBytes() >= Long.BYTES) {
            Memory.putLong(writeAddress(), value);
            advance(Long.BYTES);
        } else {
            for (int shift = 56; shift >= 0; shift -= 8) {
                putByte((int) (value >>> shift));
            }
        }
        return this;
    }

    /// Writes `count` bytes of `source` from `sourceOffset` on.
    public MessageWriter putBytes(byte[] source, int sourceOffset, int count) {
        require(count);
        for (int done = 0; done < count; ) {
            int bytes = Math.min(count - done, writableBytes());
            Memory.copyFrom(source, sourceOffset + done, writeAddress(), bytes);
            advance(bytes);
            done += bytes;
        }
        return this;
    }

    /// Writes `count` bytes of `source` from `sourceOffset` on.
    public MessageWriter putBytes(MemorySegment source, long sourceOffset, int count) {
        require(count);
        for (int done = 0; done < count; ) {
            int bytes = Math.min(count - done, writableBytes());
            Memory.copyFrom(source, sourceOffset + done, writeAddress(), bytes);
            advance(bytes);
            done += bytes;
        }
        return this;
    }

    /// Writes the next `count` unread bytes of a received message.
    public MessageWriter putBytes(Message source, int count) {
        require(count);
        for (int done = 0; done < count; ) {
            int bytes = Math.min(Math.min(count - done, writableBytes()), source.readableBytes());
            if (bytes == 0) {
                throw new IndexOutOfBoundsException("the source has fewer bytes than are to be written");
            }
            Memory.copy(source.readAddress(), writeAddress(), bytes);
            source.skip(bytes);
            advance(bytes);
            done += bytes;
        }
        return this;
    }

    /// Returns the address of the next byte to write; [#writableBytes] of them lie there. After writing,
    /// [#advance] moves on.
    public long writeAddress() {
        return Packet.payload(current) + currentOffset;
    }

    /// Returns how many bytes can be written at [#writeAddress].
    public int writableBytes() {
        return current == 0 ? 0 : Packet.payloadLength(current) - currentOffset;
    }

    /// Takes note that `bytes`, at most [#writableBytes], were written at [#writeAddress].
    public void advance(int bytes) {
        written += bytes;
        currentOffset += bytes;
        if (currentOffset == Packet.payloadLength(current)) {
            current = Packet.link(current);
            currentOffset = 0;
        }
    }

    private void require(int bytes) {
        if (bytes < 0 || bytes > remaining()) {
            throw new IndexOutOfBoundsException("more bytes than were claimed");
        }
    }

    /// Gives the message up; nothing is sent.
    public void abort() {
        long first = take();
        if (first != 0) {
            outbox.releaseUnsent(first);
        }
    }
}
