package io.homa.net;

import io.homa.engine.Engine;
import io.homa.engine.RpcError;
import io.homa.memory.HotPath;
import io.homa.memory.Memory;
import io.homa.memory.Packet;
import io.homa.memory.PacketPool;
import io.homa.wire.Ethernet;
import io.homa.wire.HomaHeader;
import io.homa.wire.Icmpv6;
import io.homa.wire.Ipv6;
import org.jspecify.annotations.Nullable;

/// Takes IPv6 packets: Homa goes to the engine, neighbour discovery to the neighbours, pings are answered, and what
/// ICMPv6 says about packets of ours is passed on. Engine thread only.
@HotPath
final class Ipv6Receiver {
    /// Bytes behind the IP header that an error quotes: the common Homa header, so that the RPC is named.
    private static final int QUOTED_BYTES = HomaHeader.LENGTH;

    private final NetConfig config;
    private final Ipv6Layer layer;
    private final LinkHeader link;
    private final Engine engine;
    private final PacketPool pool;
    private final NeighbourDiscovery discovery;
    private final FrameSender sender;
    private final ErrorLimit limit;
    private final NetCounters counters;

    Ipv6Receiver(
            NetConfig config,
            Ipv6Layer layer,
            LinkHeader link,
            Engine engine,
            PacketPool pool,
            NeighbourDiscovery discovery,
            FrameSender sender,
            ErrorLimit limit,
            NetCounters counters) {
        this.config = config;
        this.layer = layer;
        this.link = link;
        this.engine = engine;
        this.pool = pool;
        this.discovery = discovery;
        this.sender = sender;
        this.limit = limit;
        this.counters = counters;
    }

    /// Handles a frame with an IPv6 packet of `length` bytes at `ip`. Takes the packet over.
    void onFrame(long packet, long frame, long ip, int length, long nowNs) {
        if (!Ipv6.isValid(ip, length) || Ipv6Address.isMulticast(Ipv6.sourceHigh(ip))) {
            drop(packet, NetCounter.DROPPED_BAD_IP);
            return;
        }
        if (!layer.isForUs(Ipv6.destinationHigh(ip), Ipv6.destinationLow(ip))) {
            drop(packet, NetCounter.DROPPED_NOT_OURS);
            return;
        }
        int next = Ipv6.nextHeader(ip);
        if (config.headers().accepts(next, ip + Ipv6.LENGTH, Ipv6.payloadLength(ip))) {
            onHoma(packet, frame, ip, nowNs);
        } else if (next == Ipv6.NEXT_ICMP) {
            onIcmp(packet, frame, ip, nowNs);
        } else {
            drop(packet, NetCounter.DROPPED_OTHER_PROTOCOL);
        }
    }

    private void drop(long packet, NetCounter reason) {
        counters.increment(reason);
        pool.release(packet);
    }

    private void onHoma(long packet, long frame, long ip, long nowNs) {
        // An answer leaves from the address of the peer's own kind, so a question must have come to it.
        boolean isSameKind =
                Ipv6Address.isLinkLocal(Ipv6.sourceHigh(ip)) == Ipv6Address.isLinkLocal(Ipv6.destinationHigh(ip));
        if (!isSameKind || !layer.isOwn(Ipv6.destinationHigh(ip), Ipv6.destinationLow(ip))) {
            drop(packet, NetCounter.DROPPED_NOT_OURS);
            return;
        }
        int start = Packet.dataOffset(packet) + (int) (ip - frame) + Ipv6.LENGTH;
        Packet.frame(packet, start, Ipv6.payloadLength(ip));
        int verdict = engine.onPacket(packet, Ipv6.sourceHigh(ip), Ipv6.sourceLow(ip), layer.priority(ip), nowNs);
        if (verdict == Engine.PORT_UNREACHABLE) {
            portUnreachable(packet, frame, ip, nowNs);
        }
    }

    private void portUnreachable(long packet, long frame, long ip, long nowNs) {
        if (!limit.allows(nowNs)) {
            drop(packet, NetCounter.UNREACHABLES_SUPPRESSED);
            return;
        }
        int quoted = Ipv6.LENGTH + Math.min(Ipv6.payloadLength(ip), QUOTED_BYTES);
        long error = layer.icmpFrame(
                Icmpv6.LENGTH + quoted, Ethernet.source(frame), Ipv6.sourceHigh(ip), Ipv6.sourceLow(ip));
        if (error != 0) {
            long out = Packet.data(error) + link.length();
            Memory.copy(ip, out + Ipv6.LENGTH + Icmpv6.LENGTH, quoted);
            Icmpv6.write(out, Icmpv6.UNREACHABLE, Icmpv6.CODE_PORT, 0);
            counters.increment(NetCounter.UNREACHABLES_SENT);
            sender.send(error);
        }
        pool.release(packet);
    }

    private void onIcmp(long packet, long frame, long ip, long nowNs) {
        int length = Ipv6.payloadLength(ip);
        if (length < Icmpv6.LENGTH || !Icmpv6.hasRightChecksum(ip)) {
            drop(packet, NetCounter.DROPPED_BAD_ICMP);
            return;
        }
        switch (Icmpv6.type(ip + Ipv6.LENGTH)) {
            case Icmpv6.ECHO_REQUEST -> echo(frame, ip, length);
            case Icmpv6.SOLICITATION, Icmpv6.ADVERTISEMENT -> discovery.onMessage(frame, ip, length, nowNs);
            default -> onReport(ip, length, nowNs);
        }
        pool.release(packet);
    }

    private void echo(long frame, long ip, int length) {
        long reply = layer.icmpFrame(length, Ethernet.source(frame), Ipv6.sourceHigh(ip), Ipv6.sourceLow(ip));
        if (reply == 0) {
            return;
        }
        long out = Packet.data(reply) + link.length();
        long high = Ipv6.destinationHigh(ip);
        if (!Ipv6Address.isMulticast(high)) {
            Memory.putLong(out + 8, high);
            Memory.putLong(out + 16, Ipv6.destinationLow(ip));
        }
        Memory.copy(ip + Ipv6.LENGTH, out + Ipv6.LENGTH, length);
        Icmpv6.write(out, Icmpv6.ECHO_REPLY, 0, Icmpv6.rest(ip + Ipv6.LENGTH));
        counters.increment(NetCounter.ECHO_REPLIES_SENT);
        sender.send(reply);
    }

    /// Somebody reports that a packet of ours did not arrive; believed only if it quotes Homa from this host, and
    /// by the engine only if the RPC lives.
    private void onReport(long ip, int length, long nowNs) {
        long icmp = ip + Ipv6.LENGTH;
        int quotedLength = length - Icmpv6.LENGTH - Ipv6.LENGTH;
        if (quotedLength < QUOTED_BYTES) {
            counters.increment(NetCounter.DROPPED_BAD_ICMP);
            return;
        }
        long quote = icmp + Icmpv6.LENGTH;
        long homa = quote + Ipv6.LENGTH;
        boolean isOurs = layer.isOwn(Ipv6.sourceHigh(quote), Ipv6.sourceLow(quote))
                && config.headers().isOwn(Ipv6.nextHeader(quote), homa, quotedLength);
        if (isOurs && Icmpv6.type(icmp) == Icmpv6.PACKET_TOO_BIG) {
            PathMtu.note(counters, Icmpv6.rest(icmp));
            return;
        }
        RpcError error = error(Icmpv6.type(icmp), Icmpv6.code(icmp));
        if (error == null || !isOurs) {
            counters.increment(NetCounter.DROPPED_OTHER_PROTOCOL);
            return;
        }
        counters.increment(NetCounter.UNREACHABLES_RECEIVED);
        int port = error == RpcError.PORT_UNREACHABLE ? HomaHeader.destinationPort(homa) : -1;
        engine.onUnreachable(
                Ipv6.destinationHigh(quote), Ipv6.destinationLow(quote), port, HomaHeader.senderId(homa), error, nowNs);
    }

    /// Returns what a report means for an RPC; null if nothing.
    private static @Nullable RpcError error(int type, int code) {
        if (type == Icmpv6.UNREACHABLE) {
            return code == Icmpv6.CODE_PORT ? RpcError.PORT_UNREACHABLE : RpcError.HOST_UNREACHABLE;
        }
        return type == Icmpv6.PARAMETER_PROBLEM && code == Icmpv6.CODE_NEXT_HEADER
                ? RpcError.PROTOCOL_UNSUPPORTED
                : null;
    }
}
