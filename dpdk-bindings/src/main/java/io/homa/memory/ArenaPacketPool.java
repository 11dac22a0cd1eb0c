package io.homa.memory;

import java.lang.foreign.Arena;

/// A [PacketPool] in plain off-heap memory, for tests and simulation: no DPDK, one thread.
///
/// Slots have the layout of [Packet]. Releasing a free packet throws [IllegalStateException]; with memory checking
/// on, the frame of a released packet is overwritten, so that reading it later shows.
public final class ArenaPacketPool implements PacketPool, AutoCloseable {
    private static final int POISON = 0xDB;

    private final Arena arena = Arena.ofShared();
    private final long start;
    private final int slotLength;
    private final int dataRoom;
    private final long[] free;
    private int freeCount;

    /// Makes a pool of `capacity` packets with `dataRoom` bytes behind the headroom each.
    public ArenaPacketPool(int capacity, int dataRoom) {
        if (capacity < 1 || dataRoom < 64 || dataRoom > 65_535 - Packet.HEADROOM) {
            throw new IllegalArgumentException("capacity " + capacity + " (1 or more) or data room " + dataRoom
                    + " (64 to " + (65_535 - Packet.HEADROOM) + " bytes) is out of range");
        }
        this.dataRoom = dataRoom;
        slotLength = (Packet.MBUF_LENGTH + Packet.PRIVATE_LENGTH + Packet.HEADROOM + dataRoom + 63) & -64;
        long length = (long) slotLength * capacity;
        start = arena.allocate(length, 64).address();
        MemoryRegions.add(start, length);
        free = new long[capacity];
        for (int i = 0; i < capacity; i++) {
            long packet = start + (long) (capacity - 1 - i) * slotLength;
            Memory.putLongNative(
                    packet + Packet.BUFFER_ADDRESS_OFFSET, packet + Packet.MBUF_LENGTH + Packet.PRIVATE_LENGTH);
            Memory.putShortNative(packet + Packet.BUFFER_LENGTH_OFFSET, Packet.HEADROOM + dataRoom);
            free[i] = packet;
        }
        freeCount = capacity;
    }

    @Override
    @HotPath
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
            if (Memory.CHECKED) {
                Memory.fill(Packet.buffer(packet), Packet.HEADROOM + 64, POISON);
            }
            free[freeCount++] = packet;
        }
    }

    @Override
    public int available() {
        return freeCount;
    }

    @Override
    public int capacity() {
        return free.length;
    }

    @Override
    public int dataRoom() {
        return dataRoom;
    }

    /// Frees the memory. Packets must not be used afterwards.
    @Override
    public void close() {
        MemoryRegions.remove(start);
        arena.close();
    }
}
