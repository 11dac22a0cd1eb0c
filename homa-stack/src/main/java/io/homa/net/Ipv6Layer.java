package io.homa.net;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;
import io.homa.memory.Packet;
import io.homa.memory.PacketPool;
import io.homa.wire.Checksum;
import io.homa.wire.Ethernet;
import io.homa.wire.HomaHeader;
import io.homa.wire.Icmpv6;
import io.homa.wire.Ipv6;

/// What this host sends over IPv6: headers around Homa packets, and the frames of ICMPv6. Engine thread only.
@HotPath
final class Ipv6Layer {
    /// Hosts of the link all listen to this: ff02::1.
    private static final long ALL_NODES_HIGH = 0xFF02L << 48;

    private static final long ALL_NODES_LOW = 1;

    /// ff02::1:ff00:0 and the last 24 bits of an address.
    private static final long SOLICITED_LOW = 0x1_FF00_0000L;

    private static final long MULTICAST_MAC = 0x3333_0000_0000L;

    private final NetConfig config;
    private final LinkHeader link;
    private final PacketPool pool;
    private final NetCounters counters;
    private final int trafficClassShift;
    private final Ipv6Config own;
    private final long ownHigh;
    private final long ownLow;
    private final long localHigh;
    private final long localLow;
    private final long gatewayHigh;
    private final long gatewayLow;

    Ipv6Layer(NetConfig config, Ipv6Config own, LinkHeader link, PacketPool pool, NetCounters counters) {
        this.config = config;
        this.link = link;
        this.pool = pool;
        this.counters = counters;
        this.own = own;
        trafficClassShift = own.trafficClassShift();
        ownHigh = own.address().high();
        ownLow = own.address().low();
        Ipv6Address local = Ipv6Address.linkLocal(config.mac());
        localHigh = local.high();
        localLow = local.low();
        Ipv6Address gateway = own.gateway();
        gatewayHigh = gateway == null ? 0 : gateway.high();
        gatewayLow = gateway == null ? 0 : gateway.low();
    }

    int headerLength() {
        return link.length() + Ipv6.LENGTH;
    }

    /// Returns the priority that a packet came with.
    int priority(long ip) {
        return Ipv6.trafficClass(ip) >>> trafficClassShift & 7;
    }

    boolean isOwn(long high, long low) {
        return (low == ownLow && high == ownHigh) || (low == localLow && high == localHigh);
    }

    /// Says whether packets to this address are for this host: its own two, all hosts, and the groups in which its
    /// neighbours ask for it.
    boolean isForUs(long high, long low) {
        return isOwn(high, low)
                || (high == ALL_NODES_HIGH
                        && (low == ALL_NODES_LOW || low == solicited(ownLow) || low == solicited(localLow)));
    }

    private static long solicited(long low) {
        return SOLICITED_LOW | low & 0xFF_FFFFL;
    }

    /// Returns the entry of the neighbour that packets to a host go to first: itself on the link, else the gateway.
    ///
    /// @return NONE if there is no way or no place in the table, the counter says which
    int nextHop(Neighbours neighbours, long high, long low, long nowNs) {
        int known = neighbours.find(high, low);
        if (known != Neighbours.NONE && neighbours.isStatic(known)) {
            return known;
        }
        boolean isOnLink = Ipv6Address.isLinkLocal(high) || own.isOnLink(high, low);
        if (!isOnLink && (gatewayHigh | gatewayLow) == 0) {
            counters.increment(NetCounter.DROPPED_NO_ROUTE);
            return Neighbours.NONE;
        }
        int entry = neighbours.findOrAdd(isOnLink ? high : gatewayHigh, isOnLink ? low : gatewayLow, nowNs);
        if (entry == Neighbours.NONE) {
            counters.increment(NetCounter.NEIGHBOUR_TABLE_FULL);
        }
        return entry;
    }

    /// Puts IP and Ethernet headers in front of a Homa packet.
    void wrap(long packet, long mac, long high, long low) {
        int length = Packet.length(packet);
        long header = Packet.data(packet);
        int priority = Packet.priority(packet);
        if (config.headers().fillsChecksum()) {
            int checksum = Checksum.homa(header, length, sourceHigh(high), sourceLow(high), high, low);
            Memory.putShort(header + HomaHeader.CHECKSUM_OFFSET, checksum);
        }
        long frame = Packet.prepend(packet, headerLength());
        int next = config.headers().protocol();
        writeIp(frame, priority << trafficClassShift, length, next, high, low);
        link.write(frame, mac, Ethernet.TYPE_IPV6, priority);
    }

    /// Answers link-local hosts from the link-local address, the others from the configured one.
    private long sourceHigh(long high) {
        return Ipv6Address.isLinkLocal(high) || Ipv6Address.isMulticast(high) ? localHigh : ownHigh;
    }

    private long sourceLow(long high) {
        return Ipv6Address.isLinkLocal(high) || Ipv6Address.isMulticast(high) ? localLow : ownLow;
    }

    private void writeIp(long frame, int trafficClass, int length, int next, long high, long low) {
        long ip = frame + link.length();
        Ipv6.write(ip, trafficClass, length, next, sourceHigh(high), sourceLow(high), high, low);
    }

    /// Makes a frame for an ICMPv6 message of `length` bytes to a host, whose body the caller adds; the message's
    /// header must be written last, with [Icmpv6#write].
    ///
    /// @return 0 if the pool is empty
    long icmpFrame(int length, long mac, long high, long low) {
        long packet = pool.allocate();
        if (packet == 0) {
            counters.increment(NetCounter.NO_PACKET);
            return 0;
        }
        Packet.frame(packet, Packet.HEADROOM, headerLength() + length);
        long frame = Packet.data(packet);
        writeIp(frame, 0, length, Ipv6.NEXT_ICMP, high, low);
        link.write(frame, mac, Ethernet.TYPE_IPV6, 0);
        return packet;
    }

    /// Makes the frame that asks the link for a host's hardware address; 0 if the pool is empty.
    long solicitation(long high, long low) {
        long group = solicited(low);
        long packet = icmpFrame(Icmpv6.NEIGHBOUR_LENGTH, MULTICAST_MAC | group & 0xFFFF_FFFFL, ALL_NODES_HIGH, group);
        if (packet != 0) {
            long ip = Packet.data(packet) + link.length();
            // From the address whose packets wait, so that the other side learns it as well.
            Memory.putLong(ip + 8, sourceHigh(high));
            Memory.putLong(ip + 16, sourceLow(high));
            finishNeighbour(ip, true, high, low, 0);
            counters.increment(NetCounter.SOLICITATIONS_SENT);
        }
        return packet;
    }

    /// Makes the answer to a solicitation of `target`; 0 if the pool is empty.
    long advertisement(long mac, long high, long low, long targetHigh, long targetLow) {
        boolean isAnonymous = (high | low) == 0;
        long packet = isAnonymous
                ? icmpFrame(Icmpv6.NEIGHBOUR_LENGTH, MULTICAST_MAC | ALL_NODES_LOW, ALL_NODES_HIGH, ALL_NODES_LOW)
                : icmpFrame(Icmpv6.NEIGHBOUR_LENGTH, mac, high, low);
        if (packet != 0) {
            long ip = Packet.data(packet) + link.length();
            int flags = isAnonymous ? Icmpv6.OVERRIDE : Icmpv6.OVERRIDE | Icmpv6.SOLICITED;
            Memory.putLong(ip + 8, targetHigh);
            Memory.putLong(ip + 16, targetLow);
            finishNeighbour(ip, false, targetHigh, targetLow, flags);
            counters.increment(NetCounter.ADVERTISEMENTS_SENT);
        }
        return packet;
    }

    /// Makes the unasked advertisement that tells everybody where this host's configured address is.
    long announcement() {
        return advertisement(0, 0, 0, ownHigh, ownLow);
    }

    private void finishNeighbour(long ip, boolean isSolicitation, long high, long low, int flags) {
        Ipv6.hopLimit(ip, Icmpv6.NEIGHBOUR_HOP_LIMIT);
        Icmpv6.writeNeighbour(ip + Ipv6.LENGTH, isSolicitation, high, low, link.mac());
        Icmpv6.write(ip, isSolicitation ? Icmpv6.SOLICITATION : Icmpv6.ADVERTISEMENT, 0, flags);
    }
}
