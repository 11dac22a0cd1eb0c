package io.homa.fabric.faults;

import io.homa.engine.Counter;
import io.homa.engine.Counters;
import io.homa.engine.Engine;
import io.homa.engine.EngineConfig;
import io.homa.engine.EngineEvents;
import io.homa.memory.ArenaPacketPool;
import io.homa.memory.Memory;
import io.homa.memory.MemoryRegions;
import io.homa.memory.Packet;
import java.lang.foreign.Arena;

/// A host with the production engine, a pool of packets and a clock of its own. It can lose its memory and start
/// again. One thread.
final class SimulatedHost implements AutoCloseable {
    static final int SERVER_PORT = 4_000;
    static final int CLIENT_PORT = 32_768;

    private static final long FIRST_ADDRESS = 0xFFFF_0A00_0001L;

    final int index;
    final ArenaPacketPool pool;
    final Counters counters;
    final HostClock clock;

    /// Time of the pending wake-up that counts; others are stale.
    long wakeNs = Long.MAX_VALUE;
    long pausedUntilNs = Long.MIN_VALUE;
    int backlog;

    private final Arena arena = Arena.ofShared();
    private final long countersAddress;
    private final EngineConfig config;
    private final EngineEvents events;
    private Engine engine;
    private int life;

    SimulatedHost(int index, EngineConfig config, int poolPackets, int dataRoom, HostClock clock, EngineEvents events) {
        this.index = index;
        this.config = config;
        this.clock = clock;
        this.events = events;
        pool = new ArenaPacketPool(poolPackets, dataRoom);
        countersAddress = arena.allocate(Counters.LENGTH, Long.BYTES).address();
        MemoryRegions.add(countersAddress, Counters.LENGTH);
        counters = new Counters(countersAddress);
        engine = start();
    }

    private Engine start() {
        long seed = config.seed() * 1_000_003 + index * 1_009L + life;
        Engine started = new Engine(config.withSeed(seed), pool, events, counters);
        started.openPort(SERVER_PORT, true);
        started.openPort(CLIENT_PORT, false);
        return started;
    }

    Engine engine() {
        return engine;
    }

    /// Returns how often the host has started again.
    int life() {
        return life;
    }

    static long address(int host) {
        return FIRST_ADDRESS + host;
    }

    static int hostOf(long addressLow) {
        return (int) (addressLow - FIRST_ADDRESS);
    }

    /// Loses everything, and starts anew with other ids.
    void restart(long timeNs) {
        engine.close(clock.localNs(timeNs));
        life++;
        engine = start();
    }

    /// Copies a packet from the wire into a buffer of this host and hands it to the engine; false if there is
    /// no buffer.
    boolean receive(long wirePacket, int from, long timeNs) {
        long packet = pool.allocate();
        if (packet == 0) {
            return false;
        }
        int length = Packet.length(wirePacket);
        Packet.frame(packet, Packet.HEADROOM, length);
        Memory.copy(Packet.data(wirePacket), Packet.data(packet), length);
        int verdict = engine.onPacket(packet, 0, address(from), Packet.priority(wirePacket), clock.localNs(timeNs));
        if (verdict != Engine.CONSUMED) {
            pool.release(packet);
        }
        return true;
    }

    long count(Counter counter) {
        return counters.get(counter);
    }

    @Override
    public void close() {
        MemoryRegions.remove(countersAddress);
        arena.close();
        pool.close();
    }
}
