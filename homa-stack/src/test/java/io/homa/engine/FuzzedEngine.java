package io.homa.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.memory.MemoryRegions;
import io.homa.memory.Packet;
import io.homa.testing.FuzzInput;
import io.homa.testing.GuardedPool;
import io.homa.wire.DataHeader;
import io.homa.wire.HomaHeader;
import io.homa.wire.PacketType;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.List;

/// An engine in virtual time with an application on it, whose life a fuzzer's bytes decide: packets that fit its
/// RPCs, packets that nearly do, garbage, commands, and the passing of time. Every step may be wrong only in ways
/// that the engine has to bear; what it does is checked as it goes.
final class FuzzedEngine implements EngineEvents, AutoCloseable {
    static final int SERVER_PORT = 4_000;
    static final int CLIENT_PORT = 32_768;

    /// Choices of [#step] that scripts of captures are made of.
    static final int REQUEST = 0;

    static final int RESPOND = 1;
    static final int GARBAGE = 5;
    static final int COLLECT = 10;
    /// Flag in the choice of a packet's source.
    static final int BURST_ENDS = 8;

    /// Small tables, so that each of them gets full, and short times, so that everything ends soon.
    static final EngineLimits LIMITS = new EngineLimits(24, 6, 16, 32, 16);

    private static final EngineConfig CONFIG = EngineConfig.DEFAULT
            .withTimers(new TimerConfig(1_000_000, 2, 2, 10, 2, 3))
            .withLimits(LIMITS);

    private static final int[] LENGTHS = {1, 100, 1_424, 1_425, 9_000, 40_000, 40_001, 100_000};
    /// What may wait on a live engine: more than all deadlines and packets of one step can be.
    private static final int MANY = 1_000_000;

    private static final long DRAIN_NS = 60_000_000_000L;

    final Engine engine;
    final Counters counters;
    private final GuardedPool pool;
    private final EngineConfig config;
    private final FuzzedPackets packets;
    private final Arena arena = Arena.ofConfined();
    private final long countersAddress;
    private final ArrayDeque<Long> inService = new ArrayDeque<>();
    private final long[] requests = new long[16];
    private long nowNs = 1_000_000_000;
    private long received;

    /// Makes an engine; `rules` says whether it goes beyond the kernel module and whether its link is paced.
    FuzzedEngine(GuardedPool pool, int rules) {
        this.pool = pool;
        config = CONFIG.withFeatures((rules & 1) == 0 ? EngineFeatures.ALL : EngineFeatures.KERNEL)
                .withLinkBitsPerSecond((rules & 2) == 0 ? 0 : 25_000_000_000L)
                .withSeed(rules);
        countersAddress = arena.allocate(Counters.LENGTH, 8).address();
        MemoryRegions.add(countersAddress, Counters.LENGTH);
        counters = new Counters(countersAddress);
        engine = new Engine(config, pool, this, counters);
        engine.openPort(SERVER_PORT, true);
        engine.openPort(CLIENT_PORT, false);
        packets = new FuzzedPackets(ClientCommands.firstId(config.seed()));
    }

    /// Returns how many packets the engine was given.
    long received() {
        return received;
    }

    void run(FuzzInput in) {
        while (!in.isAtEnd()) {
            step(in);
        }
    }

    private void step(FuzzInput in) {
        switch (in.next(16)) {
            case REQUEST -> request(in);
            case RESPOND -> respond(in);
            case 2 -> advance(1L << in.next(25));
            case 3 -> engine.onBurstEnd(nowNs);
            case 4 -> command(in);
            case GARBAGE, 6 -> receive(packets.garbage(in), in);
            case 7, 8, 9 -> receive(packets.echo(in), in);
            case COLLECT -> collect(in.next(64));
            default -> receive(packets.plausible(in), in);
        }
    }

    private void receive(int length, FuzzInput in) {
        long packet = pool.receive(packets.bytes(), length);
        if (packet == 0) {
            collect(MANY);
            return;
        }
        received++;
        int choice = in.nextByte();
        int host = choice & 7;
        if (engine.onPacket(packet, high(host), low(host), choice >> 5, nowNs) != Engine.CONSUMED) {
            pool.release(packet);
        }
        if ((choice & BURST_ENDS) != 0) {
            engine.onBurstEnd(nowNs);
        }
    }

    private static long high(int host) {
        return host < 6 ? 0 : 0x2001_0DB8_0000_0000L;
    }

    private static long low(int host) {
        return host < 6 ? 0xFFFF_0A00_0001L + host : host;
    }

    private void request(FuzzInput in) {
        int length = LENGTHS[in.next(LENGTHS.length)];
        int host = in.next(8);
        long chain = message(high(host), low(host), length);
        if (chain == 0) {
            return;
        }
        long rpc = engine.sendRequest(high(host), low(host), SERVER_PORT, CLIENT_PORT, chain, length, host, nowNs);
        if (rpc < 0) {
            engine.release(chain);
        } else {
            requests[packets.requestSent() & (requests.length - 1)] = rpc;
        }
    }

    private void respond(FuzzInput in) {
        Long rpc = inService.poll();
        if (rpc != null) {
            respond(rpc, LENGTHS[in.next(LENGTHS.length)]);
        }
    }

    private void respond(long rpc, int length) {
        long chain = message(0, low(0), length);
        if (chain == 0) {
            inService.add(rpc);
        } else {
            assertEquals(SendResult.OK, engine.sendResponse(rpc, chain, length, nowNs));
        }
    }

    private void command(FuzzInput in) {
        int choice = in.nextByte();
        int host = choice >> 3 & 7;
        switch (choice & 7) {
            case 0 -> engine.cancel(requests[choice >> 4], (choice & 8) != 0, nowNs);
            case 1 -> engine.onUnreachable(high(host), low(host), -1, 0, RpcError.HOST_UNREACHABLE, nowNs);
            case 2 ->
                engine.onUnreachable(
                        high(host), low(host), SERVER_PORT, packets.ownId(in), RpcError.PORT_UNREACHABLE, nowNs);
            case 3 -> {
                engine.closePort(CLIENT_PORT, nowNs);
                assertTrue(engine.openPort(CLIENT_PORT, false));
            }
            case 4 -> {
                engine.closePort(SERVER_PORT, nowNs);
                assertTrue(engine.openPort(SERVER_PORT, true));
            }
            case 5 -> {
                long pauseNs = engine.pauseNs() << in.next(6);
                nowNs += pauseNs;
                engine.onResume(pauseNs, nowNs);
            }
            default -> engine.onTick(nowNs);
        }
    }

    /// Makes a message of packets of the pool; 0 when the pool is short of them.
    private long message(long high, long low, int length) {
        Segmentation cut = engine.segmentation(high, low);
        int needed = length / cut.segmentLength(0, length) + 3;
        if (pool.available() < needed + config.limits().poolReserve()) {
            return 0;
        }
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

    /// Lets time pass, with every deadline and every packet of a paced link at its time.
    private void advance(long ns) {
        long endNs = nowNs + ns;
        engine.onBurstEnd(nowNs);
        collect(MANY);
        int rounds = 0;
        for (long next = nextNs(); next <= endNs; next = nextNs()) {
            assertTrue(++rounds < MANY, "time does not go on");
            nowNs = Math.max(nowNs, next);
            engine.onTick(nowNs);
            collect(MANY);
        }
        nowNs = endNs;
        engine.onTick(nowNs);
    }

    private long nextNs() {
        return Math.min(engine.nextDeadlineNs(), engine.nextTransmitNs());
    }

    private void collect(int limit) {
        for (int i = 0; i < limit; i++) {
            long packet = engine.nextTransmit(nowNs);
            if (packet == 0) {
                return;
            }
            check(packet);
            packets.sent(packet);
            pool.release(packet);
        }
        assertTrue(limit < MANY, "sending does not end");
    }

    private void check(long packet) {
        long header = Packet.data(packet);
        int length = Packet.length(packet);
        assertTrue(PacketType.isValid(header, length), "an invalid packet is sent");
        assertTrue(Packet.priority(packet) >= 0 && Packet.priority(packet) < config.priorities(), "priority");
        assertTrue(HomaHeader.type(header) != PacketType.DATA || DataHeader.isValid(header, length), "invalid DATA");
        Peer peer = engine.peer(Packet.peer(packet));
        assertTrue(peer.addressLow() != 0, "nobody is the destination");
    }

    @Override
    public void onRequest(long rpc, int peer, int clientPort, int serverPort, long firstPacket, int length) {
        assertEquals(SERVER_PORT, serverPort);
        takeMessage(firstPacket, length);
        inService.add(rpc);
    }

    @Override
    public void onResponse(long rpc, long cookie, long firstPacket, int length, long rttNs) {
        assertTrue(rttNs >= 0);
        takeMessage(firstPacket, length);
    }

    /// A message comes complete and in order.
    private void takeMessage(long firstPacket, int length) {
        int offset = 0;
        for (long packet = firstPacket; packet != 0; packet = Packet.link(packet)) {
            assertEquals(offset, Packet.messageOffset(packet));
            int bytes = Packet.payloadLength(packet);
            assertTrue(bytes > 0 && Packet.payloadStart(packet) + bytes <= Packet.bufferLength(packet), "payload");
            offset += bytes;
        }
        assertEquals(length, offset);
        engine.release(firstPacket);
    }

    @Override
    public void onFailure(long rpc, long cookie, RpcError error) {
        assertTrue(rpc > 0);
    }

    /// Answers what is in service and lets all time pass that the engine can want: then nothing is left of any RPC.
    void drain() {
        collect(MANY);
        for (long end = nowNs + DRAIN_NS; engine.rpcCount() > 0 && nowNs < end; advance(10_000_000)) {
            for (int i = inService.size(); i > 0; i--) {
                respond(inService.remove(), 1);
            }
        }
        inService.clear();
        collect(MANY);
        EngineParts parts = engine.parts();
        assertEquals(0, engine.rpcCount(), this::whatIsLeft);
        assertEquals(pool.capacity(), pool.available(), "packets left behind");
        assertEquals(List.of(), EngineDump.leftovers(engine));
        assertTrue(parts.tombstones.size() <= LIMITS.maxTombstones(), "tombstones");
        assertTrue(parts.peers.size() <= LIMITS.maxPeers(), "peers");
    }

    private String whatIsLeft() {
        StringBuilder text = new StringBuilder("RPCs left behind with " + pool.available() + " packets free:");
        for (int i = 0; i < LIMITS.maxRpcs(); i++) {
            Rpc rpc = engine.parts().rpcs.at(i);
            if (rpc.state != RpcState.FREE) {
                text.append('\n').append(rpc.isClient ? "client " : "server ").append(rpc.state);
                text.append(" in ").append(rpc.in.receivedBytes()).append('/').append(rpc.in.grantedOffset());
                text.append('/')
                        .append(rpc.in.length())
                        .append(" out ")
                        .append(rpc.out.sentOffset())
                        .append('/');
                text.append(rpc.out.grantedOffset()).append('/').append(rpc.out.length());
                text.append(engine.parts().timers.isArmed(i) ? " armed" : " without timer");
            }
        }
        return text.toString();
    }

    @Override
    public void close() {
        engine.close(nowNs);
        assertEquals(0, engine.rpcCount());
        assertEquals(pool.capacity(), pool.available(), "packets left behind by close");
        packets.close();
        MemoryRegions.remove(countersAddress);
        arena.close();
    }
}
