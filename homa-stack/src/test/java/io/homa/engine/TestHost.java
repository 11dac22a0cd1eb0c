package io.homa.engine;

import io.homa.memory.ArenaPacketPool;
import io.homa.memory.Memory;
import io.homa.memory.MemoryRegions;
import io.homa.memory.Packet;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// One host of an engine test: an engine, its pool, and an application that echoes requests and checks responses.
final class TestHost implements EngineEvents, AutoCloseable {
    static final int SERVER_PORT = 4000;
    static final int CLIENT_PORT = 32_768;

    final ArenaPacketPool pool;
    final Counters counters;
    final Engine engine;
    final long addressLow;
    final List<String> failures = new ArrayList<>();
    int responses;
    int requests;
    private final ArrayDeque<Runnable> later = new ArrayDeque<>();
    private final Arena arena = Arena.ofShared();
    private long nowNs;

    TestHost(int hostNumber, EngineConfig config, int poolSize) {
        pool = new ArenaPacketPool(poolSize, 1_600);
        long address = arena.allocate(Counters.LENGTH, 8).address();
        MemoryRegions.add(address, Counters.LENGTH);
        counters = new Counters(address);
        engine = new Engine(config.withSeed(config.seed() + hostNumber), pool, this, counters);
        addressLow = 0xFFFF_0A00_0000L + hostNumber;
        engine.openPort(SERVER_PORT, true);
        engine.openPort(CLIENT_PORT, false);
    }

    /// Sends a request whose bytes follow from `cookie`.
    long request(TestHost server, int length, long cookie, long timeNs) {
        nowNs = timeNs;
        long chain = writeMessage(server.addressLow, length, cookie);
        return engine.sendRequest(0, server.addressLow, SERVER_PORT, CLIENT_PORT, chain, length, cookie, timeNs);
    }

    long writeMessage(long peerLow, int length, long seed) {
        Segmentation cut = engine.segmentation(0, peerLow);
        long first = 0;
        long last = 0;
        for (int offset = 0; offset < length; ) {
            int bytes = cut.segmentLength(offset, length);
            long packet = pool.allocate();
            if (packet == 0) {
                throw new IllegalStateException("the test's pool is too small");
            }
            Packet.payload(packet, Packet.HEADROOM, bytes);
            Packet.messageOffset(packet, offset);
            Packet.link(packet, 0);
            for (int i = 0; i < bytes; i++) {
                Memory.putByte(Packet.payload(packet) + i, byteAt(seed, offset + i));
            }
            if (last == 0) {
                first = packet;
            } else {
                Packet.link(last, packet);
            }
            last = packet;
            offset += bytes;
        }
        return first;
    }

    static int byteAt(long seed, int offset) {
        return (int) (Hash.mix(seed * 1_000_003 + (offset >>> 3)) >>> ((offset & 7) * 8)) & 0xFF;
    }

    void tick(long timeNs) {
        nowNs = timeNs;
        engine.onBurstEnd(timeNs);
        engine.onTick(timeNs);
        while (!later.isEmpty()) {
            later.poll().run();
        }
    }

    @Override
    public void onRequest(long rpc, int peer, int clientPort, int serverPort, long firstPacket, int length) {
        requests++;
        long peerLow = engine.peer(peer).addressLow();
        byte[] bytes = read(firstPacket, length);
        engine.release(firstPacket);
        later.add(() -> {
            long chain = writeBytes(peerLow, bytes);
            long result = engine.sendResponse(rpc, chain, length, nowNs);
            if (result != SendResult.OK) {
                throw new AssertionError("sendResponse returned " + result);
            }
        });
    }

    private long writeBytes(long peerLow, byte[] bytes) {
        long chain = writeMessage(peerLow, bytes.length, 0);
        for (long packet = chain; packet != 0; packet = Packet.link(packet)) {
            Memory.copyFrom(bytes, Packet.messageOffset(packet), Packet.payload(packet), Packet.payloadLength(packet));
        }
        return chain;
    }

    private static byte[] read(long firstPacket, int length) {
        byte[] bytes = new byte[length];
        int offset = 0;
        for (long packet = firstPacket; packet != 0; packet = Packet.link(packet)) {
            if (Packet.messageOffset(packet) != offset) {
                throw new AssertionError("packet at " + Packet.messageOffset(packet) + " where " + offset + " was due");
            }
            Memory.copyTo(Packet.payload(packet), bytes, offset, Packet.payloadLength(packet));
            offset += Packet.payloadLength(packet);
        }
        if (offset != length) {
            throw new AssertionError("chain has " + offset + " of " + length + " bytes");
        }
        return bytes;
    }

    @Override
    public void onResponse(long rpc, long cookie, long firstPacket, int length, long rttNs) {
        responses++;
        byte[] bytes = read(firstPacket, length);
        engine.release(firstPacket);
        for (int i = 0; i < length; i++) {
            if ((bytes[i] & 0xFF) != byteAt(cookie, i)) {
                throw new AssertionError("byte " + i + " of " + length + " is wrong");
            }
        }
    }

    @Override
    public void onFailure(long rpc, long cookie, RpcError error) {
        failures.add(error + " " + cookie);
    }

    @Override
    public void close() {
        engine.close(nowNs);
        pool.close();
        arena.close();
    }
}
