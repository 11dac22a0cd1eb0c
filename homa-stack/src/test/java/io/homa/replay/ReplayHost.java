package io.homa.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import io.homa.replay.Capture.Frame;
import io.homa.wire.HomaHeader;
import io.homa.wire.PacketType;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// This engine in the place of one of the two hosts of a capture: it gets what that host got, when it got it, and
/// its application does what that host's did, when the first packet of it shows.
///
/// RPC ids are those of the capture on both sides; the engine's own are translated.
final class ReplayHost implements EngineEvents, AutoCloseable {
    /// A packet that this engine sent, with the capture's ids.
    record Sent(long timeNs, HomaPacket packet) {}

    /// What the application heard of an RPC, and when.
    record Heard(long timeNs, byte[] message, RpcError error) {}

    private static final long PEER_V4 = 0xFFFF_0A4D_0002L;
    private static final long PEER_V6_HIGH = 0xFD77_0000_0000_0000L;
    private static final long PEER_V6_LOW = 2;
    private static final long START_NS = 1_000_000_000L;
    private static final int POOL = 4_096;

    /// The kernel's table, which all hosts of the captures begin with.
    private static final int[] KNOWN_CUTOFFS = {0, 0, 0, 0, 1_000_000, 15_000, 2_800, 200};

    final List<Sent> sent = new ArrayList<>();
    final Map<Long, Heard> heard = new HashMap<>();
    /// Responses that the application gave only later than the kernel's, because the request was not there.
    int lateResponses;
    /// Packets to ports that are not open.
    int refused;

    private final Capture capture;
    private final boolean isClient;
    private final long peerHigh;
    private final long peerLow;
    private final Arena arena = Arena.ofShared();
    private final ArenaPacketPool pool = new ArenaPacketPool(POOL, 1_700);
    private final Engine engine;
    private final Map<Long, Long> captureIds = new HashMap<>();
    private final Map<Long, Long> ownIds = new HashMap<>();
    private final Map<Long, Long> inService = new HashMap<>();
    private final Set<Long> started = new HashSet<>();
    private final Set<Long> overdue = new HashSet<>();
    private boolean hasNewTable;
    private long requestFrom;
    private long nowNs;

    ReplayHost(Capture capture, boolean client, EngineConfig config) {
        this.capture = capture;
        isClient = client;
        peerHigh = capture.isIpv6() ? PEER_V6_HIGH : 0;
        peerLow = capture.isIpv6() ? PEER_V6_LOW : PEER_V4;
        long address = arena.allocate(Counters.LENGTH, 8).address();
        MemoryRegions.add(address, Counters.LENGTH);
        engine = new Engine(config, pool, this, new Counters(address));
        openPorts();
    }

    private void openPorts() {
        Set<Integer> ports = new HashSet<>();
        for (Frame frame : capture.sentBy(isClient)) {
            ports.add(frame.packet().sourcePort());
        }
        ports.forEach(port -> engine.openPort(port, !isClient));
    }

    /// Plays the capture: `deliveries` are what this host got.
    void play(List<Frame> deliveries) {
        tellKnownCutoffs();
        List<Frame> own = capture.sentBy(isClient);
        int nextOwn = 0;
        for (Frame delivery : deliveries) {
            while (nextOwn < own.size() && own.get(nextOwn).timeNs() <= delivery.timeNs()) {
                actLike(own.get(nextOwn++));
            }
            if (!hasNewTable && isChangeDue(own, nextOwn, delivery)) {
                hasNewTable = true;
                engine.cutoffs(own.get(nextOwn).packet().cutoffs());
            }
            advance(delivery.timeNs());
            deliver(delivery);
        }
        while (nextOwn < own.size()) {
            actLike(own.get(nextOwn++));
        }
        // What the engine does by itself, such as acknowledging, may come after the last captured packet.
        advance(capture.endNs() + 2_000_000);
    }

    /// A host that had talked to the other before knows its table.
    private void tellKnownCutoffs() {
        for (Frame frame : capture.sentBy(isClient)) {
            HomaPacket packet = frame.packet();
            if (packet.isData()) {
                if (packet.cutoffVersion() != 0) {
                    give(packet.answeredByCutoffs(1, KNOWN_CUTOFFS));
                }
                return;
            }
        }
    }

    /// Says whether the other host must see another table before it gets `delivery`: it answers the DATA that comes
    /// now by the first CUTOFFS with a version other than 1.
    private static boolean isChangeDue(List<Frame> own, int next, Frame delivery) {
        return delivery.packet().isData()
                && next < own.size()
                && own.get(next).packet().is(PacketType.CUTOFFS)
                && own.get(next).packet().cutoffVersion() == 2;
    }

    private void actLike(Frame own) {
        HomaPacket packet = own.packet();
        advance(own.timeNs());
        if (packet.isData() && !packet.isRetransmission() && started.add(packet.rpc())) {
            if (isClient) {
                request(packet);
            } else {
                respond(packet.rpc());
            }
        }
    }

    private void request(HomaPacket first) {
        byte[] message = capture.message(first.rpc(), true);
        long chain = chain(message);
        long handle = engine.sendRequest(
                peerHigh,
                peerLow,
                first.destinationPort(),
                first.sourcePort(),
                chain,
                message.length,
                first.rpc(),
                nowNs + START_NS);
        assertTrue(handle > 0, "request refused: " + handle);
        long packet = engine.nextTransmit(nowNs + START_NS);
        long id = HomaHeader.senderId(Packet.data(packet));
        captureIds.put(id, first.rpc());
        ownIds.put(first.rpc(), id);
        note(packet);
        collect();
    }

    private void respond(long rpc) {
        Long handle = inService.remove(rpc);
        if (handle == null) {
            lateResponses++;
            overdue.add(rpc);
            return;
        }
        byte[] message = capture.message(rpc, false);
        long result = engine.sendResponse(handle, chain(message), message.length, nowNs + START_NS);
        assertEquals(SendResult.OK, result);
        collect();
    }

    private long chain(byte[] message) {
        Segmentation cut = engine.segmentation(peerHigh, peerLow);
        long first = 0;
        long last = 0;
        for (int offset = 0; offset < message.length; offset += cut.segmentLength(offset, message.length)) {
            long packet = pool.allocate();
            Packet.payload(packet, Packet.HEADROOM, cut.segmentLength(offset, message.length));
            Packet.messageOffset(packet, offset);
            Packet.link(packet, 0);
            Memory.copyFrom(message, offset, Packet.payload(packet), Packet.payloadLength(packet));
            if (last == 0) {
                first = packet;
            } else {
                Packet.link(last, packet);
            }
            last = packet;
        }
        return first;
    }

    private void deliver(Frame frame) {
        HomaPacket packet = frame.packet();
        if (frame.isError()) {
            long id = ownIds.getOrDefault(packet.rpc(), packet.senderId());
            engine.onUnreachable(
                    peerHigh, peerLow, packet.destinationPort(), id, RpcError.PORT_UNREACHABLE, nowNs + START_NS);
        } else if (isClient && ownIds.containsKey(packet.rpc())) {
            give(packet.withSenderId(ownIds.get(packet.rpc()) + 1));
        } else {
            give(packet);
        }
        collect();
    }

    private void give(HomaPacket packet) {
        long buffer = pool.allocate();
        Memory.copyFrom(packet.bytes(), 0, Packet.data(buffer), packet.bytes().length);
        Packet.length(buffer, packet.bytes().length);
        requestFrom = packet.rpc();
        if (engine.onPacket(buffer, peerHigh, peerLow, packet.priority(), nowNs + START_NS) != Engine.CONSUMED) {
            refused++;
            pool.release(buffer);
        }
        engine.onBurstEnd(nowNs + START_NS);
        if (inService.containsKey(requestFrom) && overdue.remove(requestFrom)) {
            respond(requestFrom);
        }
    }

    private void advance(long timeNs) {
        while (engine.nextDeadlineNs() - START_NS <= timeNs) {
            nowNs = Math.max(nowNs, engine.nextDeadlineNs() - START_NS);
            engine.onTick(nowNs + START_NS);
            collect();
        }
        nowNs = Math.max(nowNs, timeNs);
    }

    private void collect() {
        for (long packet = engine.nextTransmit(nowNs + START_NS);
                packet != 0;
                packet = engine.nextTransmit(nowNs + START_NS)) {
            note(packet);
        }
    }

    private void note(long packet) {
        byte[] bytes = new byte[Packet.length(packet)];
        Memory.copyTo(Packet.data(packet), bytes, 0, bytes.length);
        HomaPacket homa = new HomaPacket(bytes, Packet.priority(packet));
        Long id = captureIds.get(homa.senderId());
        sent.add(new Sent(nowNs, id == null ? homa : homa.withSenderId(id)));
        pool.release(packet);
    }

    /// Returns the client ids that a packet of this engine acknowledges, as the capture knows them.
    List<Long> acked(HomaPacket packet) {
        return packet.acked().stream()
                .map(id -> captureIds.getOrDefault(id, id))
                .toList();
    }

    @Override
    public void onRequest(long rpc, int peer, int clientPort, int serverPort, long firstPacket, int length) {
        heard.put(requestFrom, new Heard(nowNs, read(firstPacket, length), null));
        inService.put(requestFrom, rpc);
    }

    private byte[] read(long firstPacket, int length) {
        byte[] message = new byte[length];
        int offset = 0;
        for (long packet = firstPacket; packet != 0; packet = Packet.link(packet)) {
            Memory.copyTo(Packet.payload(packet), message, offset, Packet.payloadLength(packet));
            offset += Packet.payloadLength(packet);
        }
        assertEquals(length, offset);
        engine.release(firstPacket);
        return message;
    }

    @Override
    public void onResponse(long rpc, long cookie, long firstPacket, int length, long rttNs) {
        heard.put(cookie, new Heard(nowNs, read(firstPacket, length), null));
    }

    @Override
    public void onFailure(long rpc, long cookie, RpcError error) {
        if (error != RpcError.CLOSED) {
            heard.put(cookie, new Heard(nowNs, new byte[0], error));
        }
    }

    @Override
    public void close() {
        engine.close(nowNs + START_NS);
        assertEquals(pool.capacity(), pool.available(), "packets left behind");
        pool.close();
        arena.close();
    }
}
