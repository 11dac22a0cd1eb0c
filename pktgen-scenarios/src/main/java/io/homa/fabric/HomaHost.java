package io.homa.fabric;

import io.homa.engine.Counter;
import io.homa.engine.Counters;
import io.homa.engine.Engine;
import io.homa.engine.EngineConfig;
import io.homa.engine.EngineEvents;
import io.homa.engine.RpcError;
import io.homa.engine.SendResult;
import io.homa.memory.HotPath;
import io.homa.memory.Memory;
import io.homa.memory.MemoryRegions;
import io.homa.memory.Packet;
import io.homa.wire.CutoffsHeader;
import io.homa.wire.DataHeader;
import io.homa.wire.HomaHeader;
import io.homa.wire.PacketType;
import java.lang.foreign.Arena;

/// A host with the production engine. A message's number travels in the eight bytes of payload that the first packet
/// has. One thread.
final class HomaHost implements Transport, EngineEvents {
    private static final int SERVER_PORT = 4_000;
    private static final int CLIENT_PORT = 32_768;
    private static final long FIRST_ADDRESS = 0xFFFF_0A00_0001L;
    /// Version of an engine's cutoffs after they have been set once; it starts with 1.
    private static final int FIRST_SET_VERSION = 2;

    private static final int TAG_BYTES = 8;
    private static final int DATA_COPY_BYTES = DataHeader.LENGTH + TAG_BYTES;
    private static final int HEADER_START = HeaderPool.PAYLOAD_START - DataHeader.LENGTH;

    private final Fabric fabric;
    private final int index;
    private final HeaderPool pool;
    private final MessageTable messages;
    private final WireFormat format;
    private final Engine engine;
    private final Counters counters;
    private final Arena arena = Arena.ofShared();
    private final long countersAddress;
    private final IntQueue refused = new IntQueue();

    HomaHost(Fabric fabric, int index, EngineConfig config, WireFormat format) {
        this.fabric = fabric;
        this.index = index;
        this.format = format;
        pool = fabric.pool();
        messages = fabric.messages();
        countersAddress = arena.allocate(Counters.LENGTH, Long.BYTES).address();
        MemoryRegions.add(countersAddress, Counters.LENGTH);
        counters = new Counters(countersAddress);
        engine = new Engine(config.withSeed(config.seed() * 1_000_003 + index), pool, this, counters);
        engine.openPort(SERVER_PORT, true);
        engine.openPort(CLIENT_PORT, false);
    }

    /// Sets the table of cutoffs that this host tells its senders.
    void cutoffs(int[] longestMessages) {
        engine.cutoffs(longestMessages);
    }

    /// Takes the table of another host for known, as after a first exchange of messages.
    void learnCutoffs(int host, int[] longestMessages) {
        long packet = pool.allocate();
        Packet.frame(packet, Packet.HEADROOM, CutoffsHeader.LENGTH);
        long header = Packet.data(packet);
        HomaHeader.write(header, PacketType.CUTOFFS, SERVER_PORT, CLIENT_PORT, 1);
        for (int i = 0; i < longestMessages.length; i++) {
            CutoffsHeader.cutoff(header, i, longestMessages[i]);
        }
        CutoffsHeader.cutoffVersion(header, FIRST_SET_VERSION);
        if (engine.onPacket(packet, 0, FIRST_ADDRESS + host, 0, fabric.nowNs()) != Engine.CONSUMED) {
            pool.release(packet);
        }
    }

    long count(Counter counter) {
        return counters.get(counter);
    }

    @Override
    @HotPath
    public void send(int message, long nowNs) {
        if (!refused.isEmpty() || !trySend(message, nowNs)) {
            refused.add(message);
        }
    }

    @HotPath
    private boolean trySend(int message, long nowNs) {
        int length = messages.length(message);
        long first = compose(length, message);
        long result = first == 0
                ? SendResult.BACK_PRESSURED
                : engine.sendRequest(
                        0,
                        FIRST_ADDRESS + messages.to(message),
                        SERVER_PORT,
                        CLIENT_PORT,
                        first,
                        length,
                        message,
                        nowNs);
        if (result >= 0) {
            messages.handle(message, result);
            return true;
        }
        if (first != 0) {
            engine.release(first);
        }
        if (result != SendResult.BACK_PRESSURED) {
            throw refusal("send", length, result);
        }
        return false;
    }

    private IllegalStateException refusal(String what, int bytes, long result) {
        return new IllegalStateException("host " + index + " cannot " + what + " " + bytes + " bytes: " + result);
    }

    /// Makes the packets of a message; 0 if the pool is exhausted.
    @HotPath
    private long compose(int length, int message) {
        long first = 0;
        long last = 0;
        int offset = 0;
        while (offset < length) {
            long packet = pool.allocate();
            if (packet == 0) {
                engine.release(first);
                return 0;
            }
            int bytes = format.segmentLength(offset, length);
            Packet.payload(packet, HeaderPool.PAYLOAD_START, bytes);
            Packet.messageOffset(packet, offset);
            Packet.link(packet, 0);
            if (last == 0) {
                first = packet;
                Memory.putLongNative(Packet.payload(packet), message);
            } else {
                Packet.link(last, packet);
            }
            last = packet;
            offset += bytes;
        }
        return first;
    }

    @Override
    @HotPath
    public void receive(long packet, long nowNs) {
        int verdict =
                engine.onPacket(packet, 0, FIRST_ADDRESS + FabricPacket.from(packet), Packet.priority(packet), nowNs);
        if (verdict != Engine.CONSUMED) {
            pool.release(packet);
        }
        engine.onBurstEnd(nowNs);
    }

    @Override
    @HotPath
    public long transmit(long nowNs) {
        while (!refused.isEmpty() && trySend(refused.first(), nowNs)) {
            refused.removeFirst();
        }
        long packet = engine.nextTransmit(nowNs);
        if (packet == 0) {
            return 0;
        }
        long header = Packet.data(packet);
        int length = Packet.length(packet);
        long copy = pool.allocate();
        if (copy != 0) {
            Packet.frame(copy, HEADER_START, length);
            int copied = HomaHeader.type(header) == PacketType.DATA ? DATA_COPY_BYTES : length;
            Memory.copy(header, Packet.data(copy), copied);
            int to = (int) (engine.peer(Packet.peer(packet)).addressLow() - FIRST_ADDRESS);
            FabricPacket.address(copy, index, to, Packet.priority(packet), format.wireBytes(packet));
        }
        pool.release(packet);
        return copy;
    }

    @Override
    @HotPath
    public void onTick(long nowNs) {
        engine.onTick(nowNs);
    }

    @Override
    @HotPath
    public long nextDeadlineNs() {
        return engine.nextDeadlineNs();
    }

    @Override
    @HotPath
    public long nextTransmitNs() {
        return engine.nextTransmitNs();
    }

    @Override
    @HotPath
    public void delivered(int message, long nowNs) {
        engine.cancel(messages.handle(message), false, nowNs);
    }

    @Override
    @HotPath
    public void onRequest(long rpc, int peer, int clientPort, int serverPort, long firstPacket, int length) {
        int message = (int) Memory.getLongNative(Packet.payload(firstPacket));
        engine.release(firstPacket);
        int answer = messages.answerLength(message);
        fabric.arrived(message);
        if (answer == 0) {
            engine.finish(rpc, fabric.nowNs());
            return;
        }
        long response = compose(answer, message);
        long result =
                response == 0 ? SendResult.BACK_PRESSURED : engine.sendResponse(rpc, response, answer, fabric.nowNs());
        if (result != SendResult.OK) {
            throw refusal("answer with", answer, result);
        }
    }

    @Override
    @HotPath
    public void onResponse(long rpc, long cookie, long firstPacket, int length, long rttNs) {
        engine.release(firstPacket);
        fabric.answered((int) cookie);
    }

    @Override
    public void onFailure(long rpc, long cookie, RpcError error) {
        fabric.failed((int) cookie);
    }

    @Override
    public void close(long nowNs) {
        engine.close(nowNs);
        MemoryRegions.remove(countersAddress);
        arena.close();
    }
}
