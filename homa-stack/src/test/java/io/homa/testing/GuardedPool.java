package io.homa.testing;

import io.homa.memory.Memory;
import io.homa.memory.MemoryRegions;
import io.homa.memory.Packet;
import io.homa.memory.PacketPool;
import java.lang.foreign.Arena;

/// A pool for fuzzing in which a wrong access shows: each packet is a region of its own with nothing around it, a
/// received frame ends where its region ends, and a free packet is full of a pattern, links included, that is no
/// address. Releasing a free packet throws.
public final class GuardedPool implements PacketPool, AutoCloseable {
    private static final int POISON = 0xDB;
    private static final int GUARD = 64;
    private static final int PREFIX = Packet.MBUF_LENGTH + Packet.PRIVATE_LENGTH;

    private final Arena arena = Arena.ofShared();
    private final long[] packets;
    private final long[] free;
    private final int dataRoom;
    private int freeCount;

    public GuardedPool(int capacity, int dataRoom) {
        this.dataRoom = dataRoom;
        int length = PREFIX + Packet.HEADROOM + dataRoom;
        long slot = (length + GUARD + 63) & -64;
        long start = arena.allocate(slot * capacity, 64).address();
        packets = new long[capacity];
        free = new long[capacity];
        for (int i = 0; i < capacity; i++) {
            long packet = start + slot * i;
            MemoryRegions.add(packet, length);
            Memory.putLongNative(packet + Packet.BUFFER_ADDRESS_OFFSET, packet + PREFIX);
            Memory.putShortNative(packet + Packet.BUFFER_LENGTH_OFFSET, Packet.HEADROOM + dataRoom);
            packets[i] = packet;
            free[i] = packet;
        }
        freeCount = capacity;
    }

    @Override
    public long allocate() {
        if (freeCount == 0) {
            return 0;
        }
        long packet = free[--freeCount];
        Packet.references(packet, 1);
        Memory.putShortNative(packet + Packet.SEGMENT_COUNT_OFFSET, 1);
        Memory.putLongNative(packet + Packet.OFFLOAD_FLAGS_OFFSET, 0);
        Packet.frame(packet, Packet.HEADROOM, 0);
        return packet;
    }

    /// Takes a packet for a received frame of `length` bytes, behind which nothing may be read; 0 when the pool is
    /// exhausted.
    public long receive(byte[] frame, int length) {
        long packet = allocate();
        if (packet != 0) {
            Packet.frame(packet, Packet.HEADROOM + dataRoom - length, length);
            Memory.copyFrom(frame, 0, Packet.data(packet), length);
        }
        return packet;
    }

    @Override
    public void retain(long packet) {
        Packet.references(packet, Packet.references(packet) + 1);
    }

    @Override
    public void release(long packet) {
        int references = Packet.references(packet);
        if (references == 0) {
            throw new IllegalStateException("packet released twice");
        }
        Packet.references(packet, references - 1);
        if (references == 1) {
            Memory.fill(packet + Packet.MBUF_LENGTH, Packet.PRIVATE_LENGTH + Packet.HEADROOM + 64, POISON);
            free[freeCount++] = packet;
        }
    }

    @Override
    public int available() {
        return freeCount;
    }

    @Override
    public int capacity() {
        return packets.length;
    }

    @Override
    public int dataRoom() {
        return dataRoom;
    }

    @Override
    public void close() {
        for (long packet : packets) {
            MemoryRegions.remove(packet);
        }
        arena.close();
    }
}
