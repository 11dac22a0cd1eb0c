package io.homa.fabric.faults;

import io.homa.fabric.EventQueue;
import io.homa.memory.ArenaPacketPool;
import io.homa.memory.Memory;
import io.homa.memory.Packet;
import io.homa.wire.DataHeader;
import io.homa.wire.HomaHeader;
import io.homa.wire.PacketType;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// A network that treats packets as its plan says. It owns the packets on their way. One thread.
final class FaultyNetwork implements AutoCloseable {
    private static final int MILLION = 1_000_000;
    private static final int IN_FLIGHT_PACKETS = 16_384;
    private static final long BASE_DELAY_NS = 2_000;
    private static final int JITTER_NS = 1_000;
    /// 25 Gbit/s.
    private static final long PS_PER_BYTE = 320;

    private static final int OVERHEAD_BYTES = 62;

    private final FaultPlan plan;
    private final SplittableRandom random;
    private final EventQueue events;
    private final int arrivalKind;
    private final ArenaPacketPool wire;
    private final int dataRoom;
    private final long[] linkFreeNs;
    private final long[] faults;
    private final @Nullable BiConsumer<Long, String> trace;
    /// Part of the network that each host is in.
    private final boolean[] isInSecondPart;

    private boolean isPartitioned;

    FaultyNetwork(
            FaultPlan plan,
            SplittableRandom random,
            EventQueue events,
            int arrivalKind,
            int dataRoom,
            long[] faults,
            @Nullable BiConsumer<Long, String> trace) {
        this.plan = plan;
        this.random = random;
        this.events = events;
        this.arrivalKind = arrivalKind;
        this.dataRoom = dataRoom;
        this.faults = faults;
        this.trace = trace;
        wire = new ArenaPacketPool(IN_FLIGHT_PACKETS, dataRoom);
        linkFreeNs = new long[plan.hosts()];
        isInSecondPart = new boolean[plan.hosts()];
    }

    /// Splits the hosts into two parts by chance.
    void partition() {
        isPartitioned = true;
        for (int host = 0; host < isInSecondPart.length; host++) {
            isInSecondPart[host] = random.nextBoolean();
        }
        count(Fault.PARTITION);
    }

    void heal() {
        isPartitioned = false;
    }

    boolean isEmpty() {
        return wire.available() == wire.capacity();
    }

    /// Takes a copy of a packet that leaves host `from`.
    void send(int from, int to, long packet, long timeNs) {
        linkFreeNs[from] =
                Math.max(linkFreeNs[from], timeNs) + (Packet.length(packet) + OVERHEAD_BYTES) * PS_PER_BYTE / 1_000;
        long leavesNs = linkFreeNs[from];
        if (happens(plan.garbage())) {
            makeGarbage(from, to, leavesNs);
        }
        if (happens(plan.drop())) {
            lose(from, to, packet, Fault.DROP, timeNs);
        } else if (happens(plan.corrupt())) {
            lose(from, to, packet, Fault.CORRUPT, timeNs);
        } else if (isPartitioned && isInSecondPart[from] != isInSecondPart[to]) {
            lose(from, to, packet, Fault.CUT_OFF, timeNs);
        } else {
            deliver(from, to, packet, leavesNs);
            if (happens(plan.duplicate())) {
                count(Fault.DUPLICATE);
                deliver(from, to, packet, leavesNs);
            }
        }
    }

    private boolean happens(int perMillion) {
        return perMillion > 0 && random.nextInt(MILLION) < perMillion;
    }

    private void count(Fault fault) {
        faults[fault.ordinal()]++;
    }

    private void lose(int from, int to, long packet, Fault fault, long timeNs) {
        count(fault);
        trace(from, to, packet, fault.name(), timeNs);
    }

    private void deliver(int from, int to, long packet, long leavesNs) {
        long copy = wire.allocate();
        if (copy == 0) {
            lose(from, to, packet, Fault.DROP, leavesNs);
            return;
        }
        int length = Packet.length(packet);
        if (happens(plan.truncate())) {
            count(Fault.TRUNCATE);
            length = random.nextInt(length + 1);
        }
        Packet.frame(copy, Packet.HEADROOM, length);
        Memory.copy(Packet.data(packet), Packet.data(copy), length);
        Packet.priority(copy, Packet.priority(packet));
        Packet.peer(copy, from);
        long delayNs = BASE_DELAY_NS + random.nextInt(JITTER_NS);
        if (happens(plan.reorder())) {
            count(Fault.REORDER);
            delayNs += random.nextInt(plan.holdNs());
        }
        trace(from, to, packet, "", leavesNs);
        events.add(leavesNs + delayNs, arrivalKind, to, copy);
    }

    /// A packet that names no live RPC, or is no Homa packet at all. A whole one-packet request would be a real
    /// one, so
    /// DATA always belongs to a longer message.
    private void makeGarbage(int from, int to, long timeNs) {
        long packet = wire.allocate();
        if (packet == 0) {
            return;
        }
        count(Fault.GARBAGE);
        int length = random.nextInt(Math.min(dataRoom, 200));
        Packet.frame(packet, Packet.HEADROOM, length);
        long header = Packet.data(packet);
        for (int i = 0; i < length; i++) {
            Memory.putByte(header + i, random.nextInt());
        }
        if (length >= HomaHeader.LENGTH) {
            int port = random.nextBoolean() ? SimulatedHost.SERVER_PORT : SimulatedHost.CLIENT_PORT;
            Memory.putShort(header + HomaHeader.DESTINATION_PORT_OFFSET, port);
            Memory.putByte(header + HomaHeader.TYPE_OFFSET, PacketType.DATA + random.nextInt(10));
        }
        if (length >= DataHeader.LENGTH && HomaHeader.type(header) == PacketType.DATA) {
            Memory.putInt(header + DataHeader.MESSAGE_LENGTH_OFFSET, 1_000 + random.nextInt(10_000));
            Memory.putInt(header + DataHeader.SEGMENT_OFFSET_OFFSET, random.nextInt(1_000));
        }
        Packet.priority(packet, random.nextInt(8));
        Packet.peer(packet, from);
        events.add(timeNs + BASE_DELAY_NS, arrivalKind, to, packet);
    }

    /// Gives a packet that has arrived back.
    void release(long wirePacket) {
        wire.release(wirePacket);
    }

    private void trace(int from, int to, long packet, String fate, long timeNs) {
        if (trace != null) {
            String text = io.homa.wire.PacketText.format(Packet.data(packet), Packet.length(packet));
            trace.accept(timeNs, "host " + from + " → " + to + "  " + text + (fate.isEmpty() ? "" : "  " + fate));
        }
    }

    @Override
    public void close() {
        wire.close();
    }
}
