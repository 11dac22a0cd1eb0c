package io.homa.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.engine.Counters;
import io.homa.engine.Engine;
import io.homa.engine.EngineConfig;
import io.homa.engine.EngineEvents;
import io.homa.engine.EngineLimits;
import io.homa.engine.RpcError;
import io.homa.memory.MemoryRegions;
import io.homa.memory.Packet;
import io.homa.testing.GuardedPool;
import io.homa.wire.Ethernet;
import io.homa.wire.PacketText;
import java.lang.foreign.Arena;
import java.util.Map;

/// The host 10.0.0.2, fd77::2 of a [FrameFuzz], without a device: it answers requests with one byte at once.
final class FuzzedHost implements EngineEvents, AutoCloseable {
    static final int OWN_IP = NetworkFixture.OWN_IP;
    private static final int COUNTERS_LENGTH = Counters.LENGTH + NetCounters.LENGTH;
    /// More frames than one step can bring.
    private static final int MANY = 100_000;

    private static final EngineConfig CONFIG =
            EngineConfig.DEFAULT.withLinkBitsPerSecond(0).withLimits(new EngineLimits(16, 8, 16, 16, 16));

    private final GuardedPool pool;
    private final Arena arena = Arena.ofConfined();
    private final long counters = arena.allocate(COUNTERS_LENGTH, 8).address();
    private final Engine engine;
    private final NetworkLayer network;
    private long nowNs = 1_000_000_000;

    FuzzedHost(GuardedPool pool, HeaderOptions headers) {
        this.pool = pool;
        MemoryRegions.add(counters, COUNTERS_LENGTH);
        engine = new Engine(CONFIG, pool, this, new Counters(counters));
        engine.openPort(PacketText.SERVER_PORT, true);
        engine.openPort(PacketText.CLIENT_PORT, false);
        Map<Ipv6Address, Long> neighbours = Map.of(NetworkFixture.PEER_IPV6, NetworkFixture.PEER_MAC);
        NetConfig net = NetConfig.of("10.0.0.2/24")
                .withHeaders(headers)
                .withIpv6(new Ipv6Config(NetworkFixture.OWN_IPV6, neighbours, Ipv6Config.DEFAULT_SHIFT));
        network = new NetworkLayer(net, engine, pool, new NetCounters(counters + Counters.LENGTH));
    }

    void receive(byte[] frame) {
        long packet = pool.receive(frame, frame.length);
        if (packet != 0) {
            network.onFrame(packet, nowNs);
            engine.onBurstEnd(nowNs);
        }
        transmit();
    }

    void request(int host) {
        long packet = message();
        if (packet == 0) {
            return;
        }
        boolean isIpv6 = host == 0;
        long high = isIpv6 ? NetworkFixture.PEER_IPV6.high() : 0;
        long low = isIpv6 ? NetworkFixture.PEER_IPV6.low() : IpAddress.mapped(NetworkFixture.OWN_IP + host);
        int server = PacketText.SERVER_PORT;
        if (engine.sendRequest(high, low, server, PacketText.CLIENT_PORT, packet, 1, 0, nowNs) < 0) {
            engine.release(packet);
        }
    }

    private long message() {
        long packet = pool.allocate();
        if (packet != 0) {
            Packet.payload(packet, Packet.HEADROOM, 1);
            Packet.messageOffset(packet, 0);
            Packet.link(packet, 0);
        }
        return packet;
    }

    void advanceMs(int ms) {
        for (int i = 0; i < ms; i++) {
            nowNs += 1_000_000;
            engine.onTick(nowNs);
            network.onTick(nowNs);
            transmit();
        }
    }

    private void transmit() {
        for (int i = 0; i < MANY; i++) {
            long packet = network.nextFrame(nowNs);
            if (packet == 0) {
                return;
            }
            assertTrue(Packet.length(packet) >= Ethernet.LENGTH, "frame of " + Packet.length(packet) + " bytes");
            assertEquals(NetworkFixture.OWN_MAC, Ethernet.source(Packet.data(packet)));
            pool.release(packet);
        }
        throw new AssertionError("sending does not end");
    }

    @Override
    public void onRequest(long rpc, int peer, int clientPort, int serverPort, long firstPacket, int length) {
        engine.release(firstPacket);
        long packet = message();
        if (packet != 0) {
            engine.sendResponse(rpc, packet, 1, nowNs);
        }
    }

    @Override
    public void onResponse(long rpc, long cookie, long firstPacket, int length, long rttNs) {
        engine.release(firstPacket);
    }

    @Override
    public void onFailure(long rpc, long cookie, RpcError error) {
        assertTrue(rpc > 0);
    }

    @Override
    public void close() {
        engine.close(nowNs);
        network.close();
        assertEquals(pool.capacity(), pool.available(), "packets left behind");
        MemoryRegions.remove(counters);
        arena.close();
    }
}
