package io.homa.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.homa.engine.Counters;
import io.homa.engine.Engine;
import io.homa.engine.EngineConfig;
import io.homa.engine.EngineEvents;
import io.homa.engine.RpcError;
import io.homa.engine.Segmentation;
import io.homa.engine.SendResult;
import io.homa.memory.ArenaPacketPool;
import io.homa.memory.Memory;
import io.homa.memory.MemoryRegions;
import io.homa.memory.Packet;
import io.homa.wire.Arp;
import io.homa.wire.Checksum;
import io.homa.wire.Ethernet;
import io.homa.wire.HomaHeader;
import io.homa.wire.Ipv4;
import io.homa.wire.Ipv6;
import io.homa.wire.PacketText;
import io.homa.wire.PacketType;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.UnaryOperator;

/// A host 10.0.0.2 with its network layer and engine, no device: frames go in and come out as byte arrays.
final class NetworkFixture implements EngineEvents, AutoCloseable {
    static final int OWN_IP = 0x0A00_0002;
    static final int PEER_IP = 0x0A00_0001;
    static final long OWN_MAC = 0x0200_0A00_0002L;
    static final long PEER_MAC = 0x0200_0A00_0001L;
    static final Ipv6Address OWN_IPV6 = Ipv6Address.parse("fd77::2");
    static final Ipv6Address PEER_IPV6 = Ipv6Address.parse("fd77::1");

    final ArenaPacketPool pool = new ArenaPacketPool(2_000, 9_300);
    final List<String> events = new ArrayList<>();
    final NetworkLayer network;
    final Engine engine;
    private final NetCounters counters;
    private final Arena arena = Arena.ofShared();
    private final Queue<Long> inService = new ArrayDeque<>();
    private long lastRequestId;
    private long nowNs = 1_000_000_000;

    NetworkFixture() {
        this(EngineConfig.DEFAULT, HeaderOptions.DEFAULT);
    }

    NetworkFixture(EngineConfig config, HeaderOptions headers) {
        this(config, headers, Ipv6Config.DEFAULT_SHIFT);
    }

    NetworkFixture(EngineConfig config, HeaderOptions headers, int trafficClassShift) {
        this(
                config,
                net -> net.withHeaders(headers)
                        .withIpv6(new Ipv6Config(OWN_IPV6, Map.of(PEER_IPV6, PEER_MAC), trafficClassShift)));
    }

    /// Makes a host whose place in the network is made from that of 10.0.0.2/24.
    NetworkFixture(EngineConfig config, UnaryOperator<NetConfig> place) {
        long address = arena.allocate(Counters.LENGTH + NetCounters.LENGTH, 8).address();
        MemoryRegions.add(address, Counters.LENGTH + NetCounters.LENGTH);
        counters = new NetCounters(address + Counters.LENGTH);
        engine = new Engine(config.withLinkBitsPerSecond(0), pool, this, new Counters(address));
        engine.openPort(PacketText.SERVER_PORT, true);
        engine.openPort(PacketText.CLIENT_PORT, false);
        network = new NetworkLayer(place.apply(NetConfig.of("10.0.0.2/24")), engine, pool, counters);
    }

    long count(NetCounter counter) {
        return counters.get(counter);
    }

    long nowNs() {
        return nowNs;
    }

    void receive(byte[] frame) {
        long packet = pool.allocate();
        Packet.length(packet, frame.length);
        Memory.copyFrom(frame, 0, Packet.data(packet), frame.length);
        network.onFrame(packet, nowNs);
        engine.onBurstEnd(nowNs);
    }

    /// Returns the frames that leave now.
    List<byte[]> sent() {
        List<byte[]> frames = new ArrayList<>();
        for (long packet = network.nextFrame(nowNs); packet != 0; packet = network.nextFrame(nowNs)) {
            byte[] frame = new byte[Packet.length(packet)];
            Memory.copyTo(Packet.data(packet), frame, 0, frame.length);
            frames.add(frame);
            noteRequest(Packet.data(packet), frame.length);
            pool.release(packet);
        }
        return frames;
    }

    private void noteRequest(long frame, int length) {
        int headers = Ethernet.LENGTH + (Ethernet.type(frame) == Ethernet.TYPE_IPV6 ? Ipv6.LENGTH : Ipv4.LENGTH);
        long homa = frame + headers;
        boolean isHoma = length >= headers + HomaHeader.LENGTH;
        if (isHoma && HomaHeader.type(homa) == PacketType.DATA && (HomaHeader.senderId(homa) & 1) == 0) {
            lastRequestId = HomaHeader.senderId(homa);
        }
    }

    /// Returns the id of the last request that left.
    long lastRequestId() {
        return lastRequestId;
    }

    void advanceMs(long ms) {
        for (long i = 0; i < ms; i++) {
            nowNs += 1_000_000;
            engine.onTick(nowNs);
            network.onTick(nowNs);
        }
    }

    /// Lets the peer's hardware address be known.
    NetworkFixture withNeighbour() {
        receive(arpFrame(Arp.REQUEST, PEER_MAC, PEER_IP, OWN_IP));
        sent();
        return this;
    }

    /// Sends a request of `length` bytes to a host.
    long request(int ip, int length) {
        return request(ip, PacketText.SERVER_PORT, length);
    }

    long request(int ip, int serverPort, int length) {
        return engine.sendRequest(
                0,
                IpAddress.mapped(ip),
                serverPort,
                PacketText.CLIENT_PORT,
                message(0, IpAddress.mapped(ip), length),
                length,
                0,
                nowNs);
    }

    /// Answers the oldest request in service with `length` bytes.
    void respond(int length) {
        long chain = message(0, IpAddress.mapped(PEER_IP), length);
        assertEquals(SendResult.OK, engine.sendResponse(inService.remove(), chain, length, nowNs));
    }

    /// Sends a request of `length` bytes to an IPv6 host.
    long request(Ipv6Address host, int serverPort, int length) {
        return engine.sendRequest(
                host.high(),
                host.low(),
                serverPort,
                PacketText.CLIENT_PORT,
                message(host.high(), host.low(), length),
                length,
                0,
                nowNs);
    }

    private long message(long high, long low, int length) {
        Segmentation cut = engine.segmentation(high, low);
        long first = 0;
        long last = 0;
        for (int offset = 0; offset < length; offset += cut.segmentLength(offset, length)) {
            long packet = pool.allocate();
            Packet.payload(packet, Packet.HEADROOM, cut.segmentLength(offset, length));
            Packet.messageOffset(packet, offset);
            Packet.link(packet, 0);
            if (last == 0) {
                first = packet;
            } else {
                Packet.link(last, packet);
            }
            last = packet;
        }
        return first;
    }

    /// Makes a frame from the peer to this host around a Homa packet given as text.
    byte[] homaFrame(String text) {
        long packet = pool.allocate();
        long frame = Packet.data(packet);
        long ip = frame + Ethernet.LENGTH;
        int length = PacketText.write(text, ip + Ipv4.LENGTH);
        HomaHeader.checksum(ip + Ipv4.LENGTH, Checksum.homa(ip + Ipv4.LENGTH, length, PEER_IP, OWN_IP));
        Ipv4.write(ip, 6 << 5, Ipv4.LENGTH + length, Ipv4.PROTOCOL_HOMA, PEER_IP, OWN_IP);
        Ethernet.write(frame, OWN_MAC, PEER_MAC, Ethernet.TYPE_IPV4);
        return take(packet, Ethernet.LENGTH + Ipv4.LENGTH + length);
    }

    /// Makes the same over IPv6.
    byte[] homaFrameV6(String text) {
        long packet = pool.allocate();
        long ip = Packet.data(packet) + Ethernet.LENGTH;
        int length = PacketText.write(text, ip + Ipv6.LENGTH);
        Ipv6.write(
                ip,
                6 << 5,
                length,
                Ipv4.PROTOCOL_HOMA,
                PEER_IPV6.high(),
                PEER_IPV6.low(),
                OWN_IPV6.high(),
                OWN_IPV6.low());
        Ethernet.write(Packet.data(packet), OWN_MAC, PEER_MAC, Ethernet.TYPE_IPV6);
        return take(packet, Ethernet.LENGTH + Ipv6.LENGTH + length);
    }

    byte[] arpFrame(int operation, long senderMac, int senderIp, int targetIp) {
        long packet = pool.allocate();
        long frame = Packet.data(packet);
        Ethernet.write(frame, Ethernet.BROADCAST, senderMac, Ethernet.TYPE_ARP);
        Arp.write(frame + Ethernet.LENGTH, operation, senderMac, senderIp, 0, targetIp);
        return take(packet, Ethernet.LENGTH + Arp.LENGTH);
    }

    private byte[] take(long packet, int length) {
        byte[] frame = new byte[length];
        Memory.copyTo(Packet.data(packet), frame, 0, length);
        pool.release(packet);
        return frame;
    }

    @Override
    public void onRequest(long rpc, int peer, int clientPort, int serverPort, long firstPacket, int length) {
        events.add("request " + length);
        inService.add(rpc);
        engine.release(firstPacket);
    }

    @Override
    public void onResponse(long rpc, long cookie, long firstPacket, int length, long rttNs) {
        events.add("response " + length);
        engine.release(firstPacket);
    }

    @Override
    public void onFailure(long rpc, long cookie, RpcError error) {
        events.add("failed " + error);
    }

    /// Ends everything and makes sure that no packet is missing.
    @Override
    public void close() {
        engine.close(nowNs);
        network.close();
        assertEquals(pool.capacity(), pool.available(), "packets left behind");
        pool.close();
        arena.close();
    }
}
