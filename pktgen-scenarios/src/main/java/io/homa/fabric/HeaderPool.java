package io.homa.fabric;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;
import io.homa.memory.MemoryRegions;
import io.homa.memory.Packet;
import io.homa.memory.PacketPool;
import java.lang.foreign.Arena;
import java.util.Arrays;

/// Packets that have room for a header and eight bytes of payload only, whatever length they claim: what a
/// simulation needs when nobody looks at payloads. Headers of DATA packets, and those eight bytes, share a cache line
/// if the payload starts at [#PAYLOAD_START].
///
/// All hosts of a simulation share a pool; it grows up to its limit. One thread.
final class HeaderPool implements PacketPool, AutoCloseable {
    /// Offset of the payload in the buffer of a packet.
    static final int PAYLOAD_START = 120;

    /// Most bytes of a frame that are really there: the longest header and the tag of a message.
    static final int COPIED_BYTES = 128;

    private static final int CHUNK_PACKETS = 1 << 14;
    /// Behind the headroom: the longest control header.
    private static final int DATA_ROOM = 128;

    private static final int SLOT_LENGTH = Packet.MBUF_LENGTH + Packet.PRIVATE_LENGTH + Packet.HEADROOM + DATA_ROOM;

    private final Arena arena = Arena.ofShared();
    private final int limit;
    private long[] chunks = new long[16];
    private int chunkCount;
    private long[] free = new long[CHUNK_PACKETS];
    private int freeCount;

    /// Makes a pool of up to `limit` packets.
    HeaderPool(int limit) {
        this.limit = limit;
    }

    @Override
    @HotPath
    public long allocate() {
        if (freeCount == 0 && !grow()) {
            return 0;
        }
        long packet = free[--freeCount];
        Packet.references(packet, 1);
        Packet.frame(packet, Packet.HEADROOM, 0);
        return packet;
    }

    private boolean grow() {
        if ((chunkCount + 1L) * CHUNK_PACKETS > limit) {
            return false;
        }
        if (chunkCount == chunks.length) {
            chunks = Arrays.copyOf(chunks, 2 * chunkCount);
        }
        long length = (long) CHUNK_PACKETS * SLOT_LENGTH;
        long start = arena.allocate(length, 64).address();
        MemoryRegions.add(start, length);
        chunks[chunkCount++] = start;
        if (free.length < chunkCount * CHUNK_PACKETS) {
            free = Arrays.copyOf(free, 2 * chunkCount * CHUNK_PACKETS);
        }
        for (int i = CHUNK_PACKETS - 1; i >= 0; i--) {
            long packet = start + (long) i * SLOT_LENGTH;
            Memory.putLongNative(
                    packet + Packet.BUFFER_ADDRESS_OFFSET, packet + Packet.MBUF_LENGTH + Packet.PRIVATE_LENGTH);
            Memory.putShortNative(packet + Packet.BUFFER_LENGTH_OFFSET, Packet.HEADROOM + DATA_ROOM);
            Memory.putShortNative(packet + Packet.SEGMENT_COUNT_OFFSET, 1);
            free[freeCount++] = packet;
        }
        return true;
    }

    @Override
    @HotPath
    public void retain(long packet) {
        Packet.references(packet, Packet.references(packet) + 1);
    }

    @Override
    @HotPath
    public void release(long packet) {
        int references = Packet.references(packet);
        if (references == 0) {
            throw new IllegalStateException("packet released twice");
        }
        Packet.references(packet, references - 1);
        if (references == 1) {
            free[freeCount++] = packet;
        }
    }

    @Override
    public int available() {
        return limit - chunkCount * CHUNK_PACKETS + freeCount;
    }

    @Override
    public int capacity() {
        return limit;
    }

    @Override
    public int dataRoom() {
        return DATA_ROOM;
    }

    @Override
    public void close() {
        for (int i = 0; i < chunkCount; i++) {
            MemoryRegions.remove(chunks[i]);
        }
        arena.close();
    }
}
