package io.homa.dpdk;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;
import io.homa.memory.MemoryRegions;
import io.homa.memory.Packet;
import io.homa.memory.PacketPool;
import io.homa.memory.SharedPacketPool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;

/// A pool of mbufs. As [PacketPool] it belongs to one thread, the one that polls; [#shared] is a view for all
/// others.
///
/// The owner keeps up to [#LOCAL_CAPACITY] free mbufs at hand, so that most allocations and releases are a few
/// stores; beyond that they move from and to DPDK's pool in bulk, one downcall for half of them.
public final class MbufPool implements PacketPool, AutoCloseable {
    /// Free mbufs that the owner keeps at hand.
    public static final int LOCAL_CAPACITY = 512;

    private static final int BULK = LOCAL_CAPACITY / 2;

    /// Calls of [#available] between two looks into DPDK's pool.
    private static final int REFRESH_INTERVAL = 64;

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final Arena arena = Arena.ofShared();
    private final long pool;
    private final int capacity;
    private final int dataRoom;
    private final long local;
    private final long single;
    private int localCount;
    private int sharedFree;
    private int untilRefresh;
    private boolean isClosed;

    /// Makes a pool of `capacity` mbufs whose buffers hold frames of IP packets of `mtu` bytes in one segment.
    ///
    /// @throws DpdkException if there is not enough memory
    public MbufPool(Eal eal, int capacity, int mtu) {
        if (capacity < 64 || capacity > 1 << 22) {
            throw new IllegalArgumentException("capacity is " + capacity + "; allowed are 64 to " + (1 << 22));
        }
        this.capacity = capacity;
        dataRoom = dataRoom(mtu);
        MemorySegment error = arena.allocate(ValueLayout.JAVA_INT);
        String name = "homa-pool-" + NUMBER.incrementAndGet();
        pool = DpdkCalls.poolCreate(arena.allocateFrom(name), capacity, dataRoom, error);
        if (pool == 0) {
            arena.close();
            throw DpdkException.of(
                    "rte_pktmbuf_pool_create",
                    capacity + " packets of " + dataRoom + " bytes" + (eal.usesHugePages() ? " in huge pages" : ""),
                    error.get(ValueLayout.JAVA_INT, 0),
                    "Ask for fewer packets or give DPDK more memory.");
        }
        MemorySegment stack = arena.allocate(ValueLayout.JAVA_LONG, LOCAL_CAPACITY + 1L);
        local = stack.address();
        single = local + (long) LOCAL_CAPACITY * Long.BYTES;
        MemoryRegions.add(local, stack.byteSize());
        announceChunks(true);
        sharedFree = capacity;
    }

    private void announceChunks(boolean isAdded) {
        if (!Memory.CHECKED) {
            return;
        }
        try (Arena temporary = Arena.ofConfined()) {
            int count = DpdkCalls.poolChunks(pool, MemorySegment.NULL, 0);
            MemorySegment chunks = temporary.allocate(ValueLayout.JAVA_LONG, 2L * count);
            DpdkCalls.poolChunks(pool, chunks, count);
            for (int i = 0; i < count; i++) {
                long start = chunks.getAtIndex(ValueLayout.JAVA_LONG, 2L * i);
                if (isAdded) {
                    MemoryRegions.add(start, chunks.getAtIndex(ValueLayout.JAVA_LONG, 2L * i + 1));
                } else {
                    MemoryRegions.remove(start);
                }
            }
        }
    }

    /// Returns DPDK's address of the pool, for configuring queues.
    long address() {
        return pool;
    }

    @Override
    @HotPath
    public long allocate() {
        if (localCount == 0 && !refill()) {
            return 0;
        }
        long packet = Memory.getLongNative(local + --localCount * (long) Long.BYTES);
        Packet.references(packet, 1);
        Memory.putLongNative(packet + Packet.OFFLOAD_FLAGS_OFFSET, 0);
        Packet.frame(packet, Packet.HEADROOM, 0);
        return packet;
    }

    private boolean refill() {
        int count = BULK;
        while (DpdkCalls.alloc(pool, local, count) != 0) {
            count >>= 1;
            if (count == 0) {
                sharedFree = 0;
                return false;
            }
        }
        localCount = count;
        untilRefresh = 0;
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
        if (references > 1) {
            Packet.references(packet, references - 1);
            return;
        }
        assert references == 1;
        if (Packet.segmentCount(packet) > 1) {
            Memory.putLongNative(single, packet);
            DpdkCalls.free(single, 1);
            return;
        }
        if (localCount == LOCAL_CAPACITY) {
            localCount -= BULK;
            DpdkCalls.free(local + localCount * (long) Long.BYTES, BULK);
            untilRefresh = 0;
        }
        Memory.putLongNative(local + localCount++ * (long) Long.BYTES, packet);
    }

    /// Returns the free packets. The part in DPDK's pool is looked up only now and then, so the result may lag
    /// behind by what moved since.
    @Override
    @HotPath
    public int available() {
        if (--untilRefresh < 0) {
            untilRefresh = REFRESH_INTERVAL;
            sharedFree = DpdkCalls.poolAvailable(pool);
        }
        return localCount + sharedFree;
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public int dataRoom() {
        return dataRoom;
    }

    /// Returns the bytes of a buffer for frames of IP packets of `mtu` bytes.
    static int dataRoom(int mtu) {
        return mtu > 1500 ? (mtu + 512 + 1023) & -1024 : 2048;
    }

    /// Returns the free packets that the owner keeps at hand. Exact only while the owner rests.
    public int localCount() {
        return localCount;
    }

    /// Returns a view of the pool that any thread may use.
    public SharedPacketPool shared() {
        return new SharedView(pool);
    }

    /// Frees the pool. All ports that use it must be closed and nobody may hold its packets.
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            DpdkCalls.free(local, localCount);
            announceChunks(false);
            MemoryRegions.remove(local);
            DpdkCalls.poolFree(pool);
            arena.close();
        }
    }

    private record SharedView(long pool) implements SharedPacketPool {
        @Override
        @HotPath
        public boolean allocate(long packets, int count) {
            return DpdkCalls.alloc(pool, packets, count) == 0;
        }

        @Override
        @HotPath
        public void release(long packets, int count) {
            DpdkCalls.free(packets, count);
        }

        @Override
        @HotPath
        public int available() {
            return DpdkCalls.poolAvailable(pool);
        }
    }
}
