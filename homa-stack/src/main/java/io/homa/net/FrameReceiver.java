package io.homa.net;

import io.homa.engine.Engine;
import io.homa.memory.HotPath;
import io.homa.memory.Packet;
import io.homa.memory.PacketPool;
import io.homa.wire.Arp;
import io.homa.wire.Ethernet;
import io.homa.wire.Ipv4;
import org.jspecify.annotations.Nullable;

/// Takes received frames apart: Homa goes to the engine, ARP to the neighbours, ICMP to its responder; everything
/// else is dropped and counted.
///
/// Never throws and never reads beyond the frame, whatever is in it. Engine thread only.
@HotPath
final class FrameReceiver {
    private final NetConfig config;
    private final LinkHeader link;
    private final Engine engine;
    private final PacketPool pool;
    private final Neighbours neighbours;
    private final FrameSender sender;
    private final IcmpResponder icmp;
    private final @Nullable Ipv6Receiver ipv6;
    private final NetCounters counters;

    FrameReceiver(
            NetConfig config,
            LinkHeader link,
            Engine engine,
            PacketPool pool,
            Neighbours neighbours,
            FrameSender sender,
            IcmpResponder icmp,
            @Nullable Ipv6Receiver ipv6,
            NetCounters counters) {
        this.config = config;
        this.link = link;
        this.engine = engine;
        this.pool = pool;
        this.neighbours = neighbours;
        this.sender = sender;
        this.icmp = icmp;
        this.ipv6 = ipv6;
        this.counters = counters;
    }

    /// Handles one frame. Takes the packet over.
    void onFrame(long packet, long nowNs) {
        counters.increment(NetCounter.FRAMES_RECEIVED);
        int length = Packet.length(packet);
        if (Packet.segmentCount(packet) != 1) {
            drop(packet, NetCounter.DROPPED_MULTI_SEGMENT);
            return;
        }
        if (length < Ethernet.TAGGED_LENGTH) {
            drop(packet, NetCounter.DROPPED_SHORT);
            return;
        }
        long frame = Packet.data(packet);
        long destination = Ethernet.destination(frame);
        if (destination != config.mac() && !Ethernet.isGroup(destination)) {
            drop(packet, NetCounter.DROPPED_NOT_OURS);
            return;
        }
        int type = Ethernet.type(frame);
        int header = Ethernet.LENGTH;
        if (type == Ethernet.TYPE_VLAN) {
            counters.increment(NetCounter.VLAN_TAGS_SKIPPED);
            type = Ethernet.taggedType(frame);
            header = Ethernet.TAGGED_LENGTH;
        }
        if (!link.accepts(header == Ethernet.LENGTH ? -1 : Ethernet.tag(frame))) {
            drop(packet, NetCounter.DROPPED_OTHER_VLAN);
            return;
        }
        switch (type) {
            case Ethernet.TYPE_IPV4 -> onIpv4(packet, frame, header, length - header, nowNs);
            case Ethernet.TYPE_IPV6 -> onIpv6(packet, frame, header, length - header, nowNs);
            case Ethernet.TYPE_ARP -> onArp(packet, frame + header, length - header, nowNs);
            default -> drop(packet, NetCounter.DROPPED_OTHER_PROTOCOL);
        }
    }

    private void drop(long packet, NetCounter reason) {
        counters.increment(reason);
        pool.release(packet);
    }

    private void onIpv4(long packet, long frame, int header, int length, long nowNs) {
        long ip = frame + header;
        if (!Ipv4.isValid(ip, length) || !Ipv4.hasRightChecksum(ip)) {
            drop(packet, NetCounter.DROPPED_BAD_IP);
        } else if (Ipv4.destination(ip) != config.address()) {
            drop(packet, NetCounter.DROPPED_NOT_OURS);
        } else if (Ipv4.isFragment(ip)) {
            drop(packet, NetCounter.DROPPED_FRAGMENT);
        } else if (isHoma(ip)) {
            onHoma(packet, frame, ip, nowNs);
        } else if (Ipv4.protocol(ip) == Ipv4.PROTOCOL_ICMP) {
            icmp.onIcmp(packet, frame, ip, nowNs);
        } else {
            drop(packet, NetCounter.DROPPED_OTHER_PROTOCOL);
        }
    }

    private void onIpv6(long packet, long frame, int header, int length, long nowNs) {
        if (ipv6 == null) {
            drop(packet, NetCounter.DROPPED_OTHER_PROTOCOL);
        } else {
            ipv6.onFrame(packet, frame, frame + header, length, nowNs);
        }
    }

    private boolean isHoma(long ip) {
        int header = Ipv4.headerLength(ip);
        return config.headers().accepts(Ipv4.protocol(ip), ip + header, Ipv4.totalLength(ip) - header);
    }

    private void onHoma(long packet, long frame, long ip, long nowNs) {
        int ipHeader = Ipv4.headerLength(ip);
        int start = Packet.dataOffset(packet) + (int) (ip - frame) + ipHeader;
        // The IP length, not the frame's: short frames are padded by Ethernet.
        Packet.frame(packet, start, Ipv4.totalLength(ip) - ipHeader);
        long source = IpAddress.mapped(Ipv4.source(ip));
        if (engine.onPacket(packet, 0, source, Ipv4.tos(ip) >>> 5, nowNs) == Engine.PORT_UNREACHABLE) {
            icmp.portUnreachable(packet, frame, ip, nowNs);
        }
    }

    private void onArp(long packet, long arp, int length, long nowNs) {
        if (!Arp.isValid(arp, length)) {
            drop(packet, NetCounter.DROPPED_SHORT);
            return;
        }
        int ip = Arp.senderIp(arp);
        long mac = Arp.senderMac(arp);
        boolean isForUs = Arp.targetIp(arp) == config.address();
        if (ip == config.address()) {
            if (mac != config.mac()) {
                counters.increment(NetCounter.ADDRESS_CONFLICTS);
            }
        } else if (!Ethernet.isGroup(mac) && mac != 0) {
            long low = IpAddress.mapped(ip);
            if (isForUs && ip != 0) {
                neighbours.findOrAdd(0, low, nowNs);
            }
            int entry = neighbours.learn(0, low, mac, nowNs);
            if (entry >= 0) {
                counters.increment(NetCounter.ARP_LEARNED);
                sender.onResolved(entry);
            }
            if (isForUs && Arp.operation(arp) == Arp.REQUEST) {
                sender.sendArp(Arp.REPLY, mac, mac, ip);
            }
        }
        pool.release(packet);
    }
}
