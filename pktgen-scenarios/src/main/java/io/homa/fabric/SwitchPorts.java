package io.homa.fabric;

import io.homa.memory.HotPath;
import io.homa.memory.Packet;
import java.util.Arrays;

/// The output ports of all switches: eight queues of strict priority each, a buffer shared by the ports of a switch,
/// and counts. A packet in transmission is in the buffer but in no queue. One thread.
@HotPath
final class SwitchPorts {
    private static final int PRIORITIES = 8;
    private static final int LEVELS = PortLevel.values().length;

    private final long[] head;
    private final long[] tail;
    private final int[] occupied;
    private final long[] current;
    private final int[] queuedBytes;
    private final long[] psPerByte;
    private final int[] switchOf;
    private final int[] level;
    private final long[] usedBytes;
    private final long bufferBytes;
    private final int markBytes;

    private final long[] arrivals = new long[LEVELS];
    private final long[] queuedAtArrival = new long[LEVELS];
    private final int[] maxQueued = new int[LEVELS];
    private final long[] transmittedBytes;
    private long peakUsedBytes;
    private long drops;
    private long marks;

    /// @param bufferBytes bytes that the ports of one switch can hold together; 0 for no limit
    /// @param markBytes bytes in a port's queues from which arriving packets are marked; 0 for never
    SwitchPorts(Topology topology, long bufferBytes, int markBytes) {
        int ports = topology.ports();
        head = new long[ports * PRIORITIES];
        tail = new long[ports * PRIORITIES];
        occupied = new int[ports];
        current = new long[ports];
        queuedBytes = new int[ports];
        psPerByte = new long[ports];
        switchOf = new int[ports];
        level = new int[ports];
        transmittedBytes = new long[ports];
        usedBytes = new long[topology.switches()];
        this.bufferBytes = bufferBytes == 0 ? Long.MAX_VALUE : bufferBytes;
        this.markBytes = markBytes == 0 ? Integer.MAX_VALUE : markBytes;
        for (int port = 0; port < ports; port++) {
            psPerByte[port] = topology.psPerByte(port);
            switchOf[port] = topology.switchOf(port);
            level[port] = topology.level(port).ordinal();
        }
    }

    /// Takes a packet into the queue of `port`; false if there is no room: the caller still owns it.
    boolean offer(int port, long packet) {
        int bytes = FabricPacket.wireBytes(packet);
        int owner = switchOf[port];
        int myLevel = level[port];
        int queued = queuedBytes[port];
        arrivals[myLevel]++;
        queuedAtArrival[myLevel] += queued;
        if (usedBytes[owner] + bytes > bufferBytes) {
            drops++;
            return false;
        }
        if (queued >= markBytes) {
            FabricPacket.mark(packet);
            marks++;
        }
        usedBytes[owner] += bytes;
        peakUsedBytes = Math.max(peakUsedBytes, usedBytes[owner]);
        queuedBytes[port] = queued + bytes;
        if (current[port] != 0) {
            maxQueued[myLevel] = Math.max(maxQueued[myLevel], queued + bytes);
        }
        int priority = Packet.priority(packet);
        int queue = port * PRIORITIES + priority;
        Packet.link(packet, 0);
        if ((occupied[port] >>> priority & 1) == 0) {
            occupied[port] |= 1 << priority;
            head[queue] = packet;
        } else {
            Packet.link(tail[queue], packet);
        }
        tail[queue] = packet;
        return true;
    }

    boolean isIdle(int port) {
        return current[port] == 0;
    }

    /// Starts with the best packet of `port`, which is idle; returns the time that it takes, 0 if there is none.
    long start(int port) {
        int mask = occupied[port];
        if (mask == 0) {
            return 0;
        }
        int priority = 31 - Integer.numberOfLeadingZeros(mask);
        int queue = port * PRIORITIES + priority;
        long packet = head[queue];
        long next = Packet.link(packet);
        head[queue] = next;
        if (next == 0) {
            occupied[port] = mask & ~(1 << priority);
        }
        int bytes = FabricPacket.wireBytes(packet);
        queuedBytes[port] -= bytes;
        current[port] = packet;
        return bytes * psPerByte[port];
    }

    /// Ends the transmission at `port` and returns the packet.
    long finish(int port) {
        long packet = current[port];
        current[port] = 0;
        int bytes = FabricPacket.wireBytes(packet);
        usedBytes[switchOf[port]] -= bytes;
        transmittedBytes[port] += bytes;
        return packet;
    }

    int queuedBytes(int port) {
        return queuedBytes[port];
    }

    /// Returns the bytes that have left `port`.
    long transmittedBytes(int port) {
        return transmittedBytes[port];
    }

    /// Starts the counts of queues over, drops and marks too.
    void resetStatistics() {
        Arrays.fill(arrivals, 0);
        Arrays.fill(queuedAtArrival, 0);
        Arrays.fill(maxQueued, 0);
        peakUsedBytes = 0;
        drops = 0;
        marks = 0;
    }

    /// Returns the mean of bytes in the queues of a port as arriving packets saw them.
    double meanQueuedBytes(PortLevel of) {
        long count = arrivals[of.ordinal()];
        return count == 0 ? 0 : (double) queuedAtArrival[of.ordinal()] / count;
    }

    /// Returns the most bytes that were in the queues of one port.
    int maxQueuedBytes(PortLevel of) {
        return maxQueued[of.ordinal()];
    }

    /// Returns the most bytes that one switch held.
    long peakUsedBytes() {
        return peakUsedBytes;
    }

    long drops() {
        return drops;
    }

    long marks() {
        return marks;
    }
}
