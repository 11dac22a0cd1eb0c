package io.homa.bench;

import io.homa.engine.Counter;
import io.homa.engine.Counters;
import io.homa.engine.Engine;
import io.homa.engine.EngineConfig;
import io.homa.engine.EngineEvents;
import io.homa.engine.RpcError;
import io.homa.memory.ArenaPacketPool;
import io.homa.memory.MemoryRegions;
import io.homa.memory.Packet;
import io.homa.wire.DataHeader;
import io.homa.wire.HomaHeader;
import java.lang.foreign.Arena;

/// A client engine that always has a number of RPCs outstanding, spread over a number of peers. The peers are this
/// class, which writes their responses. In each cycle some responses arrive and as many requests to the same
/// peers leave: one packet in, one out. Time is virtual.
final class OutstandingLoad implements EngineEvents, AutoCloseable {
    private static final int SERVER_PORT = 4_000;
    private static final int CLIENT_PORT = 32_768;
    private static final long FIRST_ADDRESS = 0xFFFF_0A00_0001L;
    private static final int MESSAGE_BYTES = 100;
    private static final int SPARE_PACKETS = 8_192;
    /// Virtual time of a step. With 100,000 outstanding a response then takes 2 ms: no RPC is late.
    private static final long STEP_NS = 20;

    private final boolean isRandom;
    private final int burst;
    private final int[] burstPeers;
    private final long[] received;
    private final ArenaPacketPool pool;
    private final Arena arena = Arena.ofConfined();
    private final long countersAddress;
    private final Counters counters;
    private final Engine engine;
    private final long[] outstandingIds;
    private final int[] outstandingPeers;
    private int outstandingCount;
    private int oldest;
    private long random = 1;
    private long nowNs = 1_000_000_000;
    private long responses;

    /// Starts `outstanding` RPCs to `peers` hosts.
    ///
    /// @param isRandom whether responses come in random order, else in that of the requests
    /// @param burst responses that a cycle of the core brings, at most `outstanding`
    OutstandingLoad(EngineConfig config, int peers, int outstanding, boolean isRandom, int burst) {
        this.burst = burst;
        burstPeers = new int[burst];
        received = new long[burst];
        this.isRandom = isRandom;
        pool = new ArenaPacketPool(outstanding + SPARE_PACKETS, Packet.HEADROOM + MESSAGE_BYTES);
        countersAddress = arena.allocate(Counters.LENGTH, 8).address();
        MemoryRegions.add(countersAddress, Counters.LENGTH);
        counters = new Counters(countersAddress);
        engine = new Engine(config, pool, this, counters);
        engine.openPort(CLIENT_PORT, false);
        outstandingIds = new long[outstanding];
        outstandingPeers = new int[outstanding];
        for (int i = 0; i < outstanding; i++) {
            request(i % peers);
            transmit();
        }
    }

    /// Returns packets in and out of the engine so far.
    long packets() {
        return counters.get(Counter.PACKETS_RECEIVED) + counters.get(Counter.PACKETS_SENT);
    }

    /// Lets about `steps` responses arrive.
    void run(long steps) {
        long expected = responses;
        for (long i = 0; i < steps; i += burst) {
            cycle();
            expected += burst;
        }
        if (responses != expected || engine.rpcCount() != outstandingCount) {
            throw new IllegalStateException(
                    (expected - responses) + " responses are missing, " + engine.rpcCount() + " RPCs outstanding");
        }
    }

    /// One cycle of a core: a burst comes in, as many requests go out.
    private void cycle() {
        for (int i = 0; i < burst; i++) {
            int at = isRandom ? randomIndex() : oldest;
            burstPeers[i] = outstandingPeers[at];
            received[i] = response(outstandingIds[at]);
            if (isRandom) {
                take(at);
            } else {
                oldest = oldest + 1 < outstandingIds.length ? oldest + 1 : 0;
                outstandingCount--;
            }
        }
        for (int i = 0; i < burst; i++) {
            receive(received[i], burstPeers[i]);
        }
        engine.onBurstEnd(nowNs);
        for (int i = 0; i < burst; i++) {
            request(burstPeers[i]);
        }
        engine.onTick(nowNs);
        transmit();
        nowNs += burst * STEP_NS;
    }

    /// Puts the last into the place of one that is answered; order means nothing here.
    private void take(int at) {
        outstandingCount--;
        outstandingIds[at] = outstandingIds[outstandingCount];
        outstandingPeers[at] = outstandingPeers[outstandingCount];
    }

    /// Marsaglia's xorshift: a few instructions, no memory.
    private int randomIndex() {
        random ^= random << 13;
        random ^= random >>> 7;
        random ^= random << 17;
        return (int) ((random >>> 1) % outstandingCount);
    }

    private long response(long clientId) {
        long packet = allocate();
        long header = Packet.data(packet);
        Packet.length(packet, DataHeader.LENGTH + MESSAGE_BYTES);
        DataHeader.write(header, SERVER_PORT, CLIENT_PORT, clientId ^ 1, MESSAGE_BYTES, MESSAGE_BYTES, 0, false, 1);
        return packet;
    }

    private void receive(long packet, int peer) {
        if (engine.onPacket(packet, 0, FIRST_ADDRESS + peer, 0, nowNs) != Engine.CONSUMED) {
            throw new IllegalStateException("a response was refused");
        }
    }

    private long allocate() {
        long packet = pool.allocate();
        if (packet == 0) {
            throw new IllegalStateException("no packet is free");
        }
        return packet;
    }

    private void request(int peer) {
        long packet = allocate();
        Packet.payload(packet, Packet.HEADROOM, MESSAGE_BYTES);
        Packet.messageOffset(packet, 0);
        Packet.link(packet, 0);
        long rpc =
                engine.sendRequest(0, FIRST_ADDRESS + peer, SERVER_PORT, CLIENT_PORT, packet, MESSAGE_BYTES, 0, nowNs);
        if (rpc < 0) {
            throw new IllegalStateException("a request was refused: " + rpc);
        }
    }

    /// Takes what the engine sends; the requests among it become outstanding.
    private void transmit() {
        for (long packet = engine.nextTransmit(nowNs); packet != 0; packet = engine.nextTransmit(nowNs)) {
            if (DataHeader.LENGTH + MESSAGE_BYTES == Packet.length(packet)) {
                int at = isRandom ? outstandingCount : (oldest + outstandingCount) % outstandingIds.length;
                outstandingIds[at] = HomaHeader.senderId(Packet.data(packet));
                outstandingPeers[at] = Packet.peer(packet);
                outstandingCount++;
            }
            pool.release(packet);
        }
    }

    @Override
    public void onRequest(long rpc, int peer, int clientPort, int serverPort, long firstPacket, int length) {
        throw new IllegalStateException("nobody sends requests");
    }

    @Override
    public void onResponse(long rpc, long cookie, long firstPacket, int length, long rttNs) {
        responses++;
        engine.release(firstPacket);
    }

    @Override
    public void onFailure(long rpc, long cookie, RpcError error) {
        if (error != RpcError.CLOSED) {
            throw new IllegalStateException("an RPC failed: " + error);
        }
    }

    @Override
    public void close() {
        engine.close(nowNs);
        if (pool.available() != pool.capacity()) {
            throw new IllegalStateException("packets left behind: " + (pool.capacity() - pool.available()));
        }
        pool.close();
        MemoryRegions.remove(countersAddress);
        arena.close();
    }
}
