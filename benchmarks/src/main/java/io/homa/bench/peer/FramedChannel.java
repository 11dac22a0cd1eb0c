package io.homa.bench.peer;

import io.homa.bench.load.Contents;
import io.homa.memory.MemoryRegions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/// A TCP connection that carries messages behind a length of four bytes, many on their way in each direction. Reads and
/// writes as much as there is with one system call. One thread; blocks if its channel does.
final class FramedChannel implements AutoCloseable {
    private static final int PREFIX = Integer.BYTES;
    private static final int MAX_MESSAGE_BYTES = 1_000_000;
    private static final int BUFFER_BYTES = 4 << 20;

    private final SocketChannel channel;
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final long inAddress = MemorySegment.ofBuffer(in).address();
    private final long outAddress = MemorySegment.ofBuffer(out).address();
    /// The current message in `in`; the next one follows it.
    private int messageStart;
    private int messageLength;
    /// Up to where `out` has been written to the socket.
    private int flushed;

    FramedChannel(SocketChannel channel) {
        this.channel = channel;
        MemoryRegions.add(inAddress, BUFFER_BYTES);
        MemoryRegions.add(outAddress, BUFFER_BYTES);
    }

    /// Appends a message to what [#flush] sends; false if there is no room.
    boolean append(int slot, int responseBytes, int length) {
        if (out.remaining() < PREFIX + length) {
            if (out.remaining() + flushed < PREFIX + length) {
                return false;
            }
            out.flip().position(flushed);
            out.compact();
            flushed = 0;
        }
        out.putInt(length);
        Contents.writeMessage(outAddress + out.position(), slot, responseBytes, length);
        out.position(out.position() + length);
        return true;
    }

    /// Writes what was appended, as far as the socket takes it.
    void flush() throws IOException {
        int end = out.position();
        if (end == flushed) {
            return;
        }
        out.limit(end).position(flushed);
        channel.write(out);
        flushed = out.position();
        if (flushed == end) {
            flushed = 0;
            out.clear();
        } else {
            out.limit(BUFFER_BYTES).position(end);
        }
    }

    /// Reads what is there, or, when blocking, at least a byte; false once the other side has closed.
    boolean fill() throws IOException {
        return channel.read(in) >= 0;
    }

    /// Moves on to the next message that is there completely; false if none is.
    boolean next() {
        int start = messageStart + messageLength;
        int available = in.position() - start;
        if (available >= PREFIX && available - PREFIX >= in.getInt(start)) {
            messageStart = start + PREFIX;
            messageLength = in.getInt(start);
            return true;
        }
        messageStart = start;
        messageLength = 0;
        if (BUFFER_BYTES - start < PREFIX + MAX_MESSAGE_BYTES || available == 0) {
            in.flip().position(start);
            in.compact();
            messageStart = 0;
        }
        return false;
    }

    int slot() {
        return Contents.slot(inAddress + messageStart);
    }

    int responseBytes() {
        return Contents.responseBytes(inAddress + messageStart);
    }

    boolean isIntact() {
        return Contents.isIntact(inAddress + messageStart, 0, messageLength);
    }

    @Override
    public void close() throws IOException {
        channel.close();
        MemoryRegions.remove(inAddress);
        MemoryRegions.remove(outAddress);
    }
}
