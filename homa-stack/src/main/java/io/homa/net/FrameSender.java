package io.homa.net;

import io.homa.engine.Engine;
import io.homa.engine.Peer;
import io.homa.engine.RpcError;
import io.homa.memory.HotPath;
import io.homa.memory.Memory;
import io.homa.memory.Packet;
import io.homa.memory.PacketPool;
import io.homa.wire.Arp;
import io.homa.wire.Checksum;
import io.homa.wire.Ethernet;
import io.homa.wire.HomaHeader;
import io.homa.wire.Ipv4;
import org.jspecify.annotations.Nullable;

/// Puts IP and Ethernet headers in front of the engine's packets, in their own headroom, and finds the hardware
/// address to send them to.
///
/// Packets to a neighbour that has not answered yet wait here, in order and bounded; one request per interval
/// asks for it. Frames of the network layer itself (ARP, ICMP) leave first. Engine thread only.
@HotPath
final class FrameSender {
    private static final int HEADERS = Ethernet.LENGTH + Ipv4.LENGTH;
    private static final int MAX_WAITING = 4096;
    private static final int MAX_READY = 1024;

    private final NetConfig config;
    private final int address;
    private final Engine engine;
    private final PacketPool pool;
    private final Neighbours neighbours;
    private final @Nullable Ipv6Layer ipv6;
    private final NetCounters counters;

    private final long[] ready = new long[MAX_READY];
    private int readyHead;
    private int readyCount;
    private final long[] waiting = new long[MAX_WAITING];
    private final int[] waitingFor = new int[MAX_WAITING];
    private int waitingCount;

    FrameSender(
            NetConfig config,
            Engine engine,
            PacketPool pool,
            Neighbours neighbours,
            @Nullable Ipv6Layer ipv6,
            NetCounters counters) {
        this.config = config;
        this.address = config.address();
        this.engine = engine;
        this.pool = pool;
        this.neighbours = neighbours;
        this.ipv6 = ipv6;
        this.counters = counters;
    }

    /// Returns the next frame to transmit, complete, or 0; the caller owns one reference.
    long nextFrame(long nowNs) {
        if (readyCount > 0) {
            return pollReady();
        }
        for (long packet = engine.nextTransmit(nowNs); packet != 0; packet = engine.nextTransmit(nowNs)) {
            if (addHeaders(packet, nowNs)) {
                return packet;
            }
        }
        // Looking for an address may have made a request.
        return readyCount > 0 ? pollReady() : 0;
    }

    private long pollReady() {
        long frame = ready[readyHead];
        readyHead = (readyHead + 1) % MAX_READY;
        readyCount--;
        return frame;
    }

    /// Queues a complete frame, whose reference goes with it.
    void send(long frame) {
        if (readyCount == MAX_READY) {
            counters.increment(NetCounter.NO_PACKET);
            pool.release(frame);
            return;
        }
        ready[(readyHead + readyCount++) % MAX_READY] = frame;
    }

    /// Makes a frame of a Homa packet; returns false if it waits for its neighbour or had to be dropped.
    private boolean addHeaders(long packet, long nowNs) {
        Peer peer = engine.peer(Packet.peer(packet));
        if (!IpAddress.isMapped(peer.addressHigh(), peer.addressLow())) {
            return (ipv6 != null && ipv6.addHeaders(packet, peer)) || drop(packet, NetCounter.DROPPED_NO_ROUTE);
        }
        int target = (int) peer.addressLow();
        int nextHop = config.nextHop(target);
        int entry = peer.neighbour();
        if (entry < 0 || neighbours.address(entry) != nextHop) {
            if (nextHop == 0) {
                return drop(packet, NetCounter.DROPPED_NO_ROUTE);
            }
            entry = neighbours.findOrAdd(nextHop);
            if (entry < 0) {
                return drop(packet, NetCounter.NEIGHBOUR_TABLE_FULL);
            }
            peer.neighbour(entry);
        }
        long mac = neighbours.mac(entry);
        if (neighbours.shouldRequest(entry, nowNs)) {
            sendArp(Arp.REQUEST, Ethernet.BROADCAST, 0, nextHop);
        }
        if (mac == 0) {
            return park(packet, entry);
        }
        write(packet, mac, target);
        return true;
    }

    private boolean drop(long packet, NetCounter reason) {
        counters.increment(reason);
        pool.release(packet);
        return false;
    }

    private boolean park(long packet, int entry) {
        if (waitingCount == MAX_WAITING) {
            return drop(packet, NetCounter.DROPPED_WAITING_FULL);
        }
        waiting[waitingCount] = packet;
        waitingFor[waitingCount++] = entry;
        return false;
    }

    private void write(long packet, long mac, int target) {
        int length = Packet.length(packet);
        long header = Packet.data(packet);
        if (config.headers().fillsChecksum()) {
            int checksum = Checksum.homa(header, length, address, target);
            Memory.putShort(header + HomaHeader.CHECKSUM_OFFSET, checksum);
        }
        long frame = Packet.prepend(packet, HEADERS);
        int tos = Packet.priority(packet) << 5;
        int protocol = config.headers().protocol();
        Ipv4.write(frame + Ethernet.LENGTH, tos, Ipv4.LENGTH + length, protocol, address, target);
        Ethernet.write(frame, mac, config.mac(), Ethernet.TYPE_IPV4);
    }

    /// Queues an ARP packet to `mac`.
    void sendArp(int operation, long mac, long targetMac, int targetIp) {
        long packet = pool.allocate();
        if (packet == 0) {
            counters.increment(NetCounter.NO_PACKET);
            return;
        }
        Packet.frame(packet, Packet.HEADROOM, Ethernet.LENGTH + Arp.LENGTH);
        long frame = Packet.data(packet);
        Ethernet.write(frame, mac, config.mac(), Ethernet.TYPE_ARP);
        Arp.write(frame + Ethernet.LENGTH, operation, config.mac(), address, targetMac, targetIp);
        counters.increment(operation == Arp.REQUEST ? NetCounter.ARP_REQUESTS_SENT : NetCounter.ARP_REPLIES_SENT);
        send(packet);
    }

    /// A neighbour has answered: what waited for it goes.
    void onResolved(int entry) {
        int kept = 0;
        for (int i = 0; i < waitingCount; i++) {
            long packet = waiting[i];
            if (waitingFor[i] == entry && readyCount < MAX_READY) {
                write(packet, neighbours.mac(entry), (int)
                        engine.peer(Packet.peer(packet)).addressLow());
                send(packet);
            } else {
                keep(i, kept++);
            }
        }
        waitingCount = kept;
    }

    private void keep(int from, int to) {
        waiting[to] = waiting[from];
        waitingFor[to] = waitingFor[from];
    }

    /// Asks again for neighbours that packets wait for, and gives those up that never answered.
    void onTick(long nowNs) {
        for (int i = 0; i < waitingCount; i++) {
            int entry = waitingFor[i];
            if (neighbours.mac(entry) != 0) {
                onResolved(entry);
                return;
            }
            if (neighbours.hasFailed(entry, nowNs)) {
                giveUp(entry, nowNs);
                return;
            }
            if (neighbours.shouldRequest(entry, nowNs)) {
                sendArp(Arp.REQUEST, Ethernet.BROADCAST, 0, neighbours.address(entry));
            }
        }
    }

    /// A neighbour never answered: what waited for it is released, and the RPCs to the hosts behind it fail.
    private void giveUp(int entry, long nowNs) {
        counters.increment(NetCounter.NEIGHBOURS_FAILED);
        neighbours.reset(entry);
        int kept = 0;
        for (int i = 0; i < waitingCount; i++) {
            if (waitingFor[i] == entry) {
                Peer peer = engine.peer(Packet.peer(waiting[i]));
                pool.release(waiting[i]);
                engine.onUnreachable(peer.addressHigh(), peer.addressLow(), -1, 0, RpcError.HOST_UNREACHABLE, nowNs);
            } else {
                keep(i, kept++);
            }
        }
        waitingCount = kept;
    }

    /// Returns when [#onTick] has something to do; `Long.MAX_VALUE` if no packet waits.
    long nextDeadlineNs() {
        long next = Long.MAX_VALUE;
        for (int i = 0; i < waitingCount; i++) {
            next = Math.min(next, neighbours.nextRequestNs(waitingFor[i]));
        }
        return next;
    }

    /// Releases everything that waits.
    void close() {
        for (int i = 0; i < waitingCount; i++) {
            pool.release(waiting[i]);
        }
        waitingCount = 0;
        while (readyCount > 0) {
            pool.release(pollReady());
        }
    }
}
