package io.homa.scenario;

import io.homa.memory.MemoryRegions;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/// One TCP connection that carries messages behind a length of four bytes, one at a time in each direction, without
/// blocking. One thread.
final class TcpConnection implements AutoCloseable {
    private static final int PREFIX = Integer.BYTES;
    /// Keeps payloads at addresses that are multiples of eight.
    private static final int START = Long.BYTES;

    private final SocketChannel channel;
    private final int maxLength;
    private final Arena arena = Arena.ofShared();
    private final long inAddress;
    private final long outAddress;
    private final ByteBuffer in;
    private final ByteBuffer out;

    private boolean isWaiting;
    private long startNs;
    private int sentLength;
    private long sentTag;

    TcpConnection(SocketChannel channel, int maxLength) {
        this.channel = channel;
        this.maxLength = maxLength;
        MemorySegment memory = arena.allocate(2L * (START + maxLength + Long.BYTES), Long.BYTES);
        MemoryRegions.add(memory.address(), memory.byteSize());
        long half = memory.byteSize() / 2 & -Long.BYTES;
        MemorySegment received = memory.asSlice(0, half);
        MemorySegment sent = memory.asSlice(half);
        inAddress = received.address() + START;
        outAddress = sent.address() + START;
        in = received.asByteBuffer();
        out = sent.asByteBuffer();
        out.limit(0);
        awaitMessage();
    }

    private void awaitMessage() {
        in.position(START - PREFIX).limit(START);
    }

    /// Says whether bytes of the last message are still to be written.
    boolean isWriting() {
        return out.hasRemaining();
    }

    /// Says whether no request is on its way.
    boolean isIdle() {
        return !isWaiting;
    }

    /// Notes the start of a request.
    void begin(long nowNs) {
        isWaiting = true;
        startNs = nowNs;
    }

    /// Notes the end of a request.
    void end() {
        isWaiting = false;
    }

    /// Fills a message; [#write] sends it.
    void prepare(int length, long tag, int direction) {
        sentLength = length;
        sentTag = tag;
        out.clear().putInt(START - PREFIX, length);
        long carried = PayloadPattern.carriedTag(tag, length);
        PayloadPattern.write(outAddress, 0, length, carried, length, direction);
        out.position(START - PREFIX).limit(START + length);
    }

    /// Writes what the socket takes.
    void write() throws IOException {
        channel.write(out);
    }

    /// Reads what is there; true when a message is complete, which stays readable until the next call.
    boolean read() throws IOException {
        if (in.position() > START - PREFIX && !in.hasRemaining()) {
            awaitMessage();
        }
        if (channel.read(in) < 0) {
            throw new EOFException("the other side closed its TCP connection");
        }
        if (in.hasRemaining()) {
            return false;
        }
        if (in.position() == START) {
            int length = in.getInt(START - PREFIX);
            if (length < 1 || length > maxLength) {
                throw new IOException("a TCP message has a length of " + length + " bytes");
            }
            in.limit(START + length);
            if (channel.read(in) < 0) {
                throw new EOFException("the other side closed its TCP connection");
            }
        }
        return !in.hasRemaining();
    }

    int receivedLength() {
        return in.getInt(START - PREFIX);
    }

    long receivedTag() {
        return PayloadPattern.readTag(inAddress, receivedLength());
    }

    boolean isIntact(int length, long tag, int direction) {
        return receivedLength() == length
                && PayloadPattern.difference(
                                inAddress, 0, length, PayloadPattern.carriedTag(tag, length), length, direction)
                        == 0;
    }

    int sentLength() {
        return sentLength;
    }

    long sentTag() {
        return sentTag;
    }

    long startNs() {
        return startNs;
    }

    @Override
    public void close() throws IOException {
        channel.close();
        MemoryRegions.remove(inAddress - START);
        arena.close();
    }
}
