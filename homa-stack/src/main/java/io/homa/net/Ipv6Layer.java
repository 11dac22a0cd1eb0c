package io.homa.net;

import io.homa.engine.Engine;
import io.homa.engine.Peer;
import io.homa.engine.RpcError;
import io.homa.memory.HotPath;
import io.homa.memory.Memory;
import io.homa.memory.Packet;
import io.homa.memory.PacketPool;
import io.homa.wire.Checksum;
import io.homa.wire.Ethernet;
import io.homa.wire.HomaHeader;
import io.homa.wire.Icmpv6;
import io.homa.wire.Ipv6;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Homa over IPv6: headers around packets to neighbours that are known, packets out of received frames, and what
/// ICMPv6 says about either. Engine thread only.
@HotPath
final class Ipv6Layer {
    private static final int HEADERS = Ethernet.LENGTH + Ipv6.LENGTH;
    /// Bytes behind the IP header that an error quotes: the common Homa header, so that the RPC is named.
    private static final int QUOTED_BYTES = HomaHeader.LENGTH;

    private final NetConfig config;
    private final Ipv6Config own;
    private final Engine engine;
    private final PacketPool pool;
    private final ErrorLimit limit;
    private final NetCounters counters;
    private final long[] neighbourHigh;
    private final long[] neighbourLow;
    private final long[] neighbourMac;

    Ipv6Layer(
            NetConfig config, Ipv6Config own, Engine engine, PacketPool pool, ErrorLimit limit, NetCounters counters) {
        this.config = config;
        this.own = own;
        this.engine = engine;
        this.pool = pool;
        this.limit = limit;
        this.counters = counters;
        int count = own.neighbours().size();
        neighbourHigh = new long[count];
        neighbourLow = new long[count];
        neighbourMac = new long[count];
        int at = 0;
        for (Map.Entry<Ipv6Address, Long> neighbour : own.neighbours().entrySet()) {
            neighbourHigh[at] = neighbour.getKey().high();
            neighbourLow[at] = neighbour.getKey().low();
            neighbourMac[at++] = neighbour.getValue();
        }
    }

    /// Makes a frame of a Homa packet to an IPv6 host; returns false, and leaves the packet alone, if the host's
    /// hardware address is not known.
    boolean addHeaders(long packet, Peer peer) {
        int entry = entry(peer);
        if (entry < 0) {
            return false;
        }
        int length = Packet.length(packet);
        long header = Packet.data(packet);
        if (config.headers().fillsChecksum()) {
            int checksum = Checksum.homa(
                    header, length, own.address().high(), own.address().low(), peer.addressHigh(), peer.addressLow());
            Memory.putShort(header + HomaHeader.CHECKSUM_OFFSET, checksum);
        }
        long frame = Packet.prepend(packet, HEADERS);
        int trafficClass = Packet.priority(packet) << own.trafficClassShift();
        int protocol = config.headers().protocol();
        write(frame, trafficClass, length, protocol, neighbourMac[entry], peer.addressHigh(), peer.addressLow());
        return true;
    }

    private int entry(Peer peer) {
        int known = peer.neighbour();
        if (known >= 0) {
            return known;
        }
        for (int i = 0; i < neighbourHigh.length; i++) {
            if (neighbourHigh[i] == peer.addressHigh() && neighbourLow[i] == peer.addressLow()) {
                peer.neighbour(i);
                return i;
            }
        }
        return -1;
    }

    private void write(long frame, int trafficClass, int length, int next, long mac, long high, long low) {
        Ipv6.write(
                frame + Ethernet.LENGTH,
                trafficClass,
                length,
                next,
                own.address().high(),
                own.address().low(),
                high,
                low);
        Ethernet.write(frame, mac, config.mac(), Ethernet.TYPE_IPV6);
    }

    /// Handles a frame with an IPv6 packet of `length` bytes at `ip`. Takes the packet over.
    ///
    /// @return a frame that must be sent in answer, or 0
    long onFrame(long packet, long frame, long ip, int length, long nowNs) {
        if (!Ipv6.isValid(ip, length)) {
            return drop(packet, NetCounter.DROPPED_BAD_IP);
        }
        if (Ipv6.destinationHigh(ip) != own.address().high()
                || Ipv6.destinationLow(ip) != own.address().low()) {
            return drop(packet, NetCounter.DROPPED_NOT_OURS);
        }
        int next = Ipv6.nextHeader(ip);
        if (config.headers().accepts(next, ip + Ipv6.LENGTH, Ipv6.payloadLength(ip))) {
            return onHoma(packet, frame, ip, nowNs);
        }
        if (next == Ipv6.NEXT_ICMP) {
            onIcmp(ip, nowNs);
            pool.release(packet);
            return 0;
        }
        return drop(packet, NetCounter.DROPPED_OTHER_PROTOCOL);
    }

    private long drop(long packet, NetCounter reason) {
        counters.increment(reason);
        pool.release(packet);
        return 0;
    }

    private long onHoma(long packet, long frame, long ip, long nowNs) {
        int start = Packet.dataOffset(packet) + (int) (ip - frame) + Ipv6.LENGTH;
        Packet.frame(packet, start, Ipv6.payloadLength(ip));
        int priority = Ipv6.trafficClass(ip) >>> own.trafficClassShift() & 7;
        int verdict = engine.onPacket(packet, Ipv6.sourceHigh(ip), Ipv6.sourceLow(ip), priority, nowNs);
        return verdict == Engine.PORT_UNREACHABLE ? portUnreachable(packet, frame, ip, nowNs) : 0;
    }

    private long portUnreachable(long packet, long frame, long ip, long nowNs) {
        if (!limit.allows(nowNs)) {
            return drop(packet, NetCounter.UNREACHABLES_SUPPRESSED);
        }
        long error = pool.allocate();
        if (error == 0) {
            return drop(packet, NetCounter.NO_PACKET);
        }
        int quoted = Ipv6.LENGTH + Math.min(Ipv6.payloadLength(ip), QUOTED_BYTES);
        Packet.frame(error, Packet.HEADROOM, HEADERS + Icmpv6.LENGTH + quoted);
        long out = Packet.data(error);
        Memory.copy(ip, out + HEADERS + Icmpv6.LENGTH, quoted);
        int length = Icmpv6.LENGTH + quoted;
        write(out, 0, length, Ipv6.NEXT_ICMP, Ethernet.source(frame), Ipv6.sourceHigh(ip), Ipv6.sourceLow(ip));
        Icmpv6.write(out + Ethernet.LENGTH, Icmpv6.UNREACHABLE, Icmpv6.CODE_PORT, 0);
        pool.release(packet);
        counters.increment(NetCounter.UNREACHABLES_SENT);
        return error;
    }

    /// Somebody reports that a packet of ours did not arrive; believed only if it quotes Homa from this host, and
    /// by the engine only if the RPC lives.
    private void onIcmp(long ip, long nowNs) {
        int length = Ipv6.payloadLength(ip) - Icmpv6.LENGTH - Ipv6.LENGTH;
        if (length < QUOTED_BYTES || !Icmpv6.hasRightChecksum(ip)) {
            counters.increment(NetCounter.DROPPED_BAD_ICMP);
            return;
        }
        long icmp = ip + Ipv6.LENGTH;
        long quote = icmp + Icmpv6.LENGTH;
        long homa = quote + Ipv6.LENGTH;
        RpcError error = error(Icmpv6.type(icmp), Icmpv6.code(icmp));
        boolean isOurs = Ipv6.sourceHigh(quote) == own.address().high()
                && Ipv6.sourceLow(quote) == own.address().low()
                && config.headers().isOwn(Ipv6.nextHeader(quote), homa, length);
        if (error == null || !isOurs) {
            counters.increment(NetCounter.DROPPED_OTHER_PROTOCOL);
            return;
        }
        counters.increment(NetCounter.UNREACHABLES_RECEIVED);
        int port = error == RpcError.PORT_UNREACHABLE ? HomaHeader.destinationPort(homa) : -1;
        engine.onUnreachable(
                Ipv6.destinationHigh(quote), Ipv6.destinationLow(quote), port, HomaHeader.senderId(homa), error, nowNs);
    }

    /// Returns what a report means for an RPC; null if nothing: that a packet was too long among others.
    private static @Nullable RpcError error(int type, int code) {
        if (type == Icmpv6.UNREACHABLE) {
            return code == Icmpv6.CODE_PORT ? RpcError.PORT_UNREACHABLE : RpcError.HOST_UNREACHABLE;
        }
        return type == Icmpv6.PARAMETER_PROBLEM && code == Icmpv6.CODE_NEXT_HEADER
                ? RpcError.PROTOCOL_UNSUPPORTED
                : null;
    }
}
