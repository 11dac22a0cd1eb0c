package io.homa.net;

import io.homa.memory.HotPath;
import io.homa.wire.Ethernet;
import io.homa.wire.Icmpv6;
import io.homa.wire.Ipv6;

/// Answers solicitations for this host and learns from what neighbours say (RFC 4861). Engine thread only.
@HotPath
final class NeighbourDiscovery {
    private final Ipv6Layer layer;
    private final LinkHeader link;
    private final Neighbours neighbours;
    private final FrameSender sender;
    private final NetCounters counters;

    NeighbourDiscovery(
            Ipv6Layer layer, LinkHeader link, Neighbours neighbours, FrameSender sender, NetCounters counters) {
        this.layer = layer;
        this.link = link;
        this.neighbours = neighbours;
        this.sender = sender;
        this.counters = counters;
    }

    /// Handles a solicitation or advertisement of `length` bytes behind the IPv6 header at `ip`, whose checksum is
    /// right. The packet stays with the caller.
    void onMessage(long frame, long ip, int length, long nowNs) {
        long icmp = ip + Ipv6.LENGTH;
        if (Ipv6.hopLimit(ip) != Icmpv6.NEIGHBOUR_HOP_LIMIT
                || !Icmpv6.isNeighbourMessage(icmp, length)
                || Ipv6Address.isMulticast(Icmpv6.targetHigh(icmp))) {
            counters.increment(NetCounter.DROPPED_BAD_NDP);
            return;
        }
        long mac = Icmpv6.hardwareAddress(icmp, length);
        if (Ethernet.isGroup(mac)) {
            counters.increment(NetCounter.DROPPED_BAD_NDP);
        } else if (Icmpv6.type(icmp) == Icmpv6.SOLICITATION) {
            onSolicitation(frame, ip, icmp, mac, nowNs);
        } else {
            onAdvertisement(icmp, mac, nowNs);
        }
    }

    private void onSolicitation(long frame, long ip, long icmp, long mac, long nowNs) {
        long high = Ipv6.sourceHigh(ip);
        long low = Ipv6.sourceLow(ip);
        long targetHigh = Icmpv6.targetHigh(icmp);
        long targetLow = Icmpv6.targetLow(icmp);
        if (!layer.isOwn(targetHigh, targetLow)) {
            return;
        }
        if (mac != 0 && (high | low) != 0 && !layer.isOwn(high, low)) {
            neighbours.findOrAdd(high, low, nowNs);
            learn(high, low, mac, nowNs);
        }
        long source = Ethernet.source(frame);
        if (source == link.mac()) {
            return;
        }
        long answer = layer.advertisement(mac == 0 ? source : mac, high, low, targetHigh, targetLow);
        if (answer != 0) {
            sender.send(answer);
        }
    }

    private void onAdvertisement(long icmp, long mac, long nowNs) {
        long high = Icmpv6.targetHigh(icmp);
        long low = Icmpv6.targetLow(icmp);
        if (layer.isOwn(high, low)) {
            if (mac != 0 && mac != link.mac()) {
                counters.increment(NetCounter.ADDRESS_CONFLICTS);
            }
            return;
        }
        int entry = neighbours.find(high, low);
        if (entry == Neighbours.NONE || mac == 0) {
            return;
        }
        long known = neighbours.mac(entry);
        // Whoever does not ask to replace what is known may only confirm it.
        if (known == 0 || known == mac || (Icmpv6.rest(icmp) & Icmpv6.OVERRIDE) != 0) {
            learn(high, low, mac, nowNs);
        }
    }

    private void learn(long high, long low, long mac, long nowNs) {
        int entry = neighbours.learn(high, low, mac, nowNs);
        if (entry != Neighbours.NONE) {
            counters.increment(NetCounter.NDP_LEARNED);
            sender.onResolved(entry);
        }
    }
}
