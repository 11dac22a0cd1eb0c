package io.homa;

import io.homa.engine.Engine;
import io.homa.memory.MemoryRegions;
import io.homa.memory.SharedPacketPool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// What application threads may touch of a core: its command ring, the shared side of its pool, and two facts
/// that its thread publishes. Thread-safe.
final class CoreShare {
    private static final int COMMANDS = 65_536;

    private final Engine engine;
    private final SharedPacketPool pool;
    private final HandleRing commands = new HandleRing(COMMANDS);
    private final int reserve;
    private final int maxSegments;
    private final AtomicInteger freePackets = new AtomicInteger();
    private final List<MemorySegment> addressArrays = new ArrayList<>();
    /// Freed by the collector with this object: a thread that has not noticed the end yet must not write to freed
    /// memory.
    private final Arena arena = Arena.ofAuto();
    private final AtomicBoolean closed = new AtomicBoolean();

    /// @param reserve packets that applications must leave for receiving
    /// @param maxSegments most packets of one message
    CoreShare(Engine engine, SharedPacketPool pool, int reserve, int maxSegments) {
        this.engine = engine;
        this.pool = pool;
        this.reserve = reserve;
        this.maxSegments = maxSegments;
    }

    Engine engine() {
        return engine;
    }

    SharedPacketPool pool() {
        return pool;
    }

    HandleRing commands() {
        return commands;
    }

    int reserve() {
        return reserve;
    }

    int maxSegments() {
        return maxSegments;
    }

    /// Returns about how many packets are free.
    int freePackets() {
        return freePackets.getOpaque();
    }

    /// Publishes the number of free packets. Engine thread.
    void freePackets(int count) {
        freePackets.setOpaque(count);
    }

    boolean isClosed() {
        return closed.getAcquire();
    }

    /// Refuses all further commands.
    void close() {
        closed.setRelease(true);
    }

    /// Returns memory for the addresses of the packets of one message; it lives as long as this object.
    synchronized long allocateAddresses() {
        MemorySegment array = arena.allocate(ValueLayout.JAVA_LONG, maxSegments);
        MemoryRegions.add(array.address(), array.byteSize());
        addressArrays.add(array);
        return array.address();
    }

    /// Withdraws what [#allocateAddresses] gave out.
    synchronized void withdraw() {
        for (MemorySegment array : addressArrays) {
            MemoryRegions.remove(array.address());
        }
    }
}
