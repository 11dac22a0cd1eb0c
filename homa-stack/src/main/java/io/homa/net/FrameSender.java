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
import io.homa.wire.PacketType;
import org.jspecify.annotations.Nullable;

/// Puts IP and Ethernet headers in front of the engine's packets, in their own headroom, and finds the hardware
/// address to send them to.
///
/// Packets to a neighbour that has not answered yet wait here, in order and bounded; one request per interval
/// asks for it. Frames of the network layer itself (ARP, ICMP) leave first. Engine thread only.
@HotPath
final class FrameSender {
    private static final int MAX_WAITING = 4096;
    private static final int MAX_READY = 1024;

    private final NetConfig config;
    private final LinkHeader link;
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
    private long deadlineNs = Long.MAX_VALUE;

    FrameSender(
            NetConfig config,
            LinkHeader link,
            Engine engine,
            PacketPool pool,
            Neighbours neighbours,
            @Nullable Ipv6Layer ipv6,
            NetCounters counters) {
        this.config = config;
        this.link = link;
        address = config.address();
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
        long high = peer.addressHigh();
        long low = peer.addressLow();
        int entry = peer.neighbour();
        // What is behind a gateway is looked up each time.
        if (entry < 0 || !neighbours.isOf(entry, high, low)) {
            entry = IpAddress.isMapped(high, low) ? nextHop((int) low, nowNs) : nextHop(high, low, nowNs);
            if (entry < 0) {
                pool.release(packet);
                return false;
            }
            peer.neighbour(entry);
        }
        if (neighbours.expire(entry, nowNs)) {
            counters.increment(NetCounter.NEIGHBOURS_EXPIRED);
        }
        if (neighbours.shouldRequest(entry, nowNs)) {
            request(entry);
        }
        long mac = neighbours.mac(entry);
        if (mac == 0) {
            return park(packet, entry);
        }
        write(packet, mac, high, low);
        return true;
    }

    private int nextHop(int target, long nowNs) {
        int nextHop = config.nextHop(target);
        if (nextHop == 0) {
            counters.increment(NetCounter.DROPPED_NO_ROUTE);
            return Neighbours.NONE;
        }
        int entry = neighbours.findOrAdd(0, IpAddress.mapped(nextHop), nowNs);
        if (entry < 0) {
            counters.increment(NetCounter.NEIGHBOUR_TABLE_FULL);
        }
        return entry;
    }

    private int nextHop(long high, long low, long nowNs) {
        if (ipv6 == null) {
            counters.increment(NetCounter.DROPPED_NO_ROUTE);
            return Neighbours.NONE;
        }
        return ipv6.nextHop(neighbours, high, low, nowNs);
    }

    /// Asks for a neighbour's hardware address.
    private void request(int entry) {
        long high = neighbours.addressHigh(entry);
        long low = neighbours.addressLow(entry);
        if (IpAddress.isMapped(high, low)) {
            sendArp(Arp.REQUEST, Ethernet.BROADCAST, 0, (int) low);
        } else if (ipv6 != null) {
            sendIfMade(ipv6.solicitation(high, low));
        }
    }

    private void sendIfMade(long frame) {
        if (frame != 0) {
            send(frame);
        }
    }

    /// Tells the link this host's addresses: at start, and whenever the link is back.
    void announce() {
        counters.increment(NetCounter.ANNOUNCEMENTS_SENT);
        sendArp(Arp.REQUEST, Ethernet.BROADCAST, 0, address);
        if (ipv6 != null) {
            sendIfMade(ipv6.announcement());
        }
    }

    private boolean drop(long packet, NetCounter reason) {
        counters.increment(reason);
        pool.release(packet);
        return false;
    }

    private boolean park(long packet, int entry) {
        int type = HomaHeader.type(Packet.data(packet));
        if (type == PacketType.RESEND || type == PacketType.BUSY || type == PacketType.NEED_ACK) {
            // Timers send them again and again; they would take the place of what they ask about.
            return drop(packet, NetCounter.DROPPED_WAITING_REPEATS);
        }
        if (waitingCount == MAX_WAITING) {
            return drop(packet, NetCounter.DROPPED_WAITING_FULL);
        }
        waiting[waitingCount] = packet;
        waitingFor[waitingCount++] = entry;
        deadlineNs = Math.min(deadlineNs, neighbours.nextRequestNs(entry));
        return false;
    }

    private void write(long packet, long mac, long high, long low) {
        if (ipv6 != null && !IpAddress.isMapped(high, low)) {
            ipv6.wrap(packet, mac, high, low);
            return;
        }
        int target = (int) low;
        int length = Packet.length(packet);
        long header = Packet.data(packet);
        if (config.headers().fillsChecksum()) {
            int checksum = Checksum.homa(header, length, address, target);
            Memory.putShort(header + HomaHeader.CHECKSUM_OFFSET, checksum);
        }
        int priority = Packet.priority(packet);
        long frame = Packet.prepend(packet, link.length() + Ipv4.LENGTH);
        int protocol = config.headers().protocol();
        Ipv4.write(frame + link.length(), priority << 5, Ipv4.LENGTH + length, protocol, address, target);
        link.write(frame, mac, Ethernet.TYPE_IPV4, priority);
    }

    /// Queues an ARP packet to `mac`.
    void sendArp(int operation, long mac, long targetMac, int targetIp) {
        long packet = pool.allocate();
        if (packet == 0) {
            counters.increment(NetCounter.NO_PACKET);
            return;
        }
        Packet.frame(packet, Packet.HEADROOM, link.length() + Arp.LENGTH);
        long frame = Packet.data(packet);
        link.write(frame, mac, Ethernet.TYPE_ARP, 0);
        Arp.write(frame + link.length(), operation, config.mac(), address, targetMac, targetIp);
        counters.increment(operation == Arp.REQUEST ? NetCounter.ARP_REQUESTS_SENT : NetCounter.ARP_REPLIES_SENT);
        send(packet);
    }

    /// A neighbour has answered: what waited for it goes.
    void onResolved(int entry) {
        int kept = 0;
        for (int i = 0; i < waitingCount; i++) {
            long packet = waiting[i];
            if (waitingFor[i] == entry && readyCount < MAX_READY) {
                Peer peer = engine.peer(Packet.peer(packet));
                write(packet, neighbours.mac(entry), peer.addressHigh(), peer.addressLow());
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
        long next = Long.MAX_VALUE;
        for (int i = 0; i < waitingCount; i++) {
            int entry = waitingFor[i];
            if (neighbours.mac(entry) != 0) {
                onResolved(entry);
                deadlineNs = nowNs;
                return;
            }
            if (neighbours.hasFailed(entry, nowNs)) {
                giveUp(entry, nowNs);
                deadlineNs = nowNs;
                return;
            }
            if (neighbours.shouldRequest(entry, nowNs)) {
                request(entry);
            }
            next = Math.min(next, neighbours.nextRequestNs(entry));
        }
        deadlineNs = next;
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
        return deadlineNs;
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
