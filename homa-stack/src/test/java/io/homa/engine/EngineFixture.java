package io.homa.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.homa.memory.ArenaPacketPool;
import io.homa.memory.Memory;
import io.homa.memory.MemoryRegions;
import io.homa.memory.Packet;
import io.homa.wire.HomaHeader;
import io.homa.wire.PacketText;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/// One engine in virtual time, with packets in and out as text: see [PacketText]. The other hosts are alice (the
/// usual peer), bob and further ones by number. RPCs that the engine starts are numbered 1000, 1002, … whatever
/// their real ids. A sent packet is shown with ` @p` and its priority behind.
final class EngineFixture implements EngineEvents, AutoCloseable {
    static final long TICK_NS = 1_000_000;
    static final int ALICE = 1;
    static final int BOB = 2;
    private static final int OWN_IDS = 1_000;
    private static final long HOSTS = 0xFFFF_0A00_0000L;
    /// Hosts from this number on have IPv6 addresses.
    static final int FIRST_IPV6 = 1_000;
    private static final long IPV6_PREFIX = 0x2001_0DB8_0000_0000L;

    final ArenaPacketPool pool;
    final Engine engine;
    final Counters counters;
    /// What the application heard: `request 101 20000 bytes`, `response 1000 5 bytes`, `failed 1000 TIMED_OUT`.
    final List<String> events = new ArrayList<>();
    /// Handles of requests in service, in order of arrival.
    final Queue<Long> inService = new ArrayDeque<>();

    private final Arena arena = Arena.ofShared();
    private final List<Sent> sent = new ArrayList<>();
    private long nowNs = 10 * TICK_NS;
    private final long ownIdBase;
    private long lastHandle;

    /// A packet that the engine gave out: when, its bytes (with its real id), and its text.
    record Sent(long timeNs, byte[] bytes, String text) {}

    EngineFixture() {
        this(EngineConfig.DEFAULT.withLinkBitsPerSecond(0), 4_000);
    }

    EngineFixture(EngineConfig config, int poolSize) {
        pool = new ArenaPacketPool(poolSize, 9_100);
        long address = arena.allocate(Counters.LENGTH, 8).address();
        MemoryRegions.add(address, Counters.LENGTH);
        counters = new Counters(address);
        engine = new Engine(config, pool, this, counters);
        ownIdBase = ClientCommands.firstId(config.seed());
        engine.openPort(PacketText.SERVER_PORT, true);
        engine.openPort(PacketText.CLIENT_PORT, false);
    }

    static long host(int number) {
        return number < FIRST_IPV6 ? HOSTS + number : number;
    }

    private static long hostHigh(int number) {
        return number < FIRST_IPV6 ? 0 : IPV6_PREFIX;
    }

    long nowNs() {
        return nowNs;
    }

    /// Hands packets from alice to the engine as one burst.
    EngineFixture receive(String... packets) {
        return receiveFrom(ALICE, packets);
    }

    EngineFixture receiveFrom(int host, String... packets) {
        for (String packet : packets) {
            assertEquals(Engine.CONSUMED, deliver(host, packet), packet);
        }
        engine.onBurstEnd(nowNs);
        return this;
    }

    /// Hands one packet over and returns what the engine said; a packet that it did not take is released.
    int deliver(int host, String text) {
        return deliverRaw(host, packet(text));
    }

    /// Makes a packet from its text, to be changed before [#deliverRaw] hands it over.
    long packet(String text) {
        long packet = pool.allocate();
        long header = Packet.data(packet);
        Packet.length(packet, PacketText.write(text, header));
        long id = HomaHeader.senderId(header);
        if (id >= OWN_IDS && id < 2L * OWN_IDS) {
            Memory.putLong(header + HomaHeader.SENDER_ID_OFFSET, id - OWN_IDS + ownIdBase);
        }
        return packet;
    }

    /// Hands over a GRANT with the trailing byte by which older kernels ask for everything again.
    void receiveGrantWithResendAll(String text) {
        long packet = packet(text);
        int length = Packet.length(packet);
        Memory.putByte(Packet.data(packet) + length, 1);
        Packet.length(packet, length + 1);
        deliverRaw(ALICE, packet);
        engine.onBurstEnd(nowNs);
    }

    int deliverRaw(int host, long packet) {
        int verdict = engine.onPacket(packet, hostHigh(host), host(host), 0, nowNs);
        if (verdict != Engine.CONSUMED) {
            pool.release(packet);
        }
        return verdict;
    }

    /// Asks the engine to send a request of `length` bytes to alice; returns the handle.
    long request(int length) {
        return request(ALICE, length);
    }

    long request(int host, int length) {
        return request(host, PacketText.SERVER_PORT, length);
    }

    long request(int host, int serverPort, int length) {
        long chain = message(host, length);
        lastHandle = engine.sendRequest(
                hostHigh(host), host(host), serverPort, PacketText.CLIENT_PORT, chain, length, events.size(), nowNs);
        if (lastHandle < 0) {
            engine.release(chain);
        }
        return lastHandle;
    }

    /// Answers the oldest request in service with `length` bytes.
    EngineFixture respond(int length) {
        long chain = message(ALICE, length);
        assertEquals(SendResult.OK, engine.sendResponse(inService.remove(), chain, length, nowNs));
        return this;
    }

    private long message(int host, int length) {
        Segmentation cut = engine.segmentation(hostHigh(host), host(host));
        long first = 0;
        long last = 0;
        for (int offset = 0; offset < length; offset += cut.segmentLength(offset, length)) {
            long packet = pool.allocate();
            int bytes = cut.segmentLength(offset, length);
            Packet.payload(packet, Packet.HEADROOM, bytes);
            Packet.messageOffset(packet, offset);
            Packet.link(packet, 0);
            for (int i = 0; i < bytes; i++) {
                Memory.putByte(Packet.payload(packet) + i, PacketText.payloadByte(offset + i));
            }
            if (last == 0) {
                first = packet;
            } else {
                Packet.link(last, packet);
            }
            last = packet;
        }
        return first;
    }

    /// Lets time pass, with every deadline at its time.
    EngineFixture advanceTicks(double ticks) {
        return advanceNs((long) (ticks * TICK_NS));
    }

    EngineFixture advanceNs(long ns) {
        long end = nowNs + ns;
        while (engine.nextDeadlineNs() <= end) {
            nowNs = Math.max(nowNs, engine.nextDeadlineNs());
            engine.onTick(nowNs);
            collect();
        }
        nowNs = end;
        engine.onTick(nowNs);
        return this;
    }

    /// Lets time pass without looking at deadlines on the way, as for a host that was stopped.
    EngineFixture jumpTicks(int ticks) {
        nowNs += ticks * TICK_NS;
        engine.onTick(nowNs);
        return this;
    }

    /// Lets time pass on a paced link: each packet leaves when the pacer lets it.
    EngineFixture advancePacedNs(long ns) {
        long end = nowNs + ns;
        collect();
        while (Math.min(engine.nextDeadlineNs(), engine.nextTransmitNs()) <= end) {
            nowNs = Math.max(nowNs, Math.min(engine.nextDeadlineNs(), engine.nextTransmitNs()));
            engine.onTick(nowNs);
            collect();
        }
        nowNs = end;
        engine.onTick(nowNs);
        return this;
    }

    private void collect() {
        for (long packet = engine.nextTransmit(nowNs); packet != 0; packet = engine.nextTransmit(nowNs)) {
            long header = Packet.data(packet);
            long id = HomaHeader.senderId(header);
            boolean isOwn = (id & 1) == 0;
            if (isOwn && id >= ownIdBase && id < ownIdBase + OWN_IDS) {
                Memory.putLong(header + HomaHeader.SENDER_ID_OFFSET, id - ownIdBase + OWN_IDS);
            }
            String text = PacketText.format(header, Packet.length(packet)) + " @p" + Packet.priority(packet);
            Memory.putLong(header + HomaHeader.SENDER_ID_OFFSET, id);
            byte[] bytes = new byte[Packet.length(packet)];
            Memory.copyTo(header, bytes, 0, bytes.length);
            sent.add(new Sent(nowNs, bytes, text));
            pool.release(packet);
        }
    }

    /// Returns everything sent since the last look.
    List<String> sent() {
        return sentPackets().stream().map(Sent::text).toList();
    }

    /// Returns the same with times and bytes.
    List<Sent> sentPackets() {
        collect();
        List<Sent> taken = List.copyOf(sent);
        sent.clear();
        return taken;
    }

    /// Returns everything of one type that was sent since the last look; the rest is forgotten.
    List<String> sent(String type) {
        return sent().stream().filter(p -> p.startsWith(type + " ")).toList();
    }

    EngineFixture expectSent(String... packets) {
        assertEquals(List.of(packets), sent());
        return this;
    }

    EngineFixture expectNothing() {
        return expectSent();
    }

    EngineFixture expectEvents(String... expected) {
        assertEquals(List.of(expected), events);
        events.clear();
        return this;
    }

    @Override
    public void onRequest(long rpc, int peer, int clientPort, int serverPort, long firstPacket, int length) {
        inService.add(rpc);
        events.add("request " + length + " bytes");
        checkAndRelease(firstPacket, length);
    }

    private void checkAndRelease(long firstPacket, int length) {
        int offset = 0;
        for (long packet = firstPacket; packet != 0; packet = Packet.link(packet)) {
            assertEquals(offset, Packet.messageOffset(packet));
            for (int i = 0; i < Packet.payloadLength(packet); i++) {
                assertEquals(PacketText.payloadByte(offset + i), Memory.getByte(Packet.payload(packet) + i));
            }
            offset += Packet.payloadLength(packet);
        }
        assertEquals(length, offset);
        engine.release(firstPacket);
    }

    @Override
    public void onResponse(long rpc, long cookie, long firstPacket, int length, long rttNs) {
        events.add("response " + length + " bytes");
        checkAndRelease(firstPacket, length);
    }

    @Override
    public void onFailure(long rpc, long cookie, RpcError error) {
        events.add("failed " + error);
    }

    long count(Counter counter) {
        return counters.get(counter);
    }

    /// Ends the engine and makes sure that nothing is left behind.
    @Override
    public void close() {
        engine.close(nowNs);
        sent();
        assertEquals(0, engine.rpcCount());
        assertEquals(pool.capacity(), pool.available(), "packets left behind");
        pool.close();
        arena.close();
    }
}
