package io.homa.net;

import io.homa.engine.Engine;
import io.homa.engine.RpcError;
import io.homa.memory.HotPath;
import io.homa.memory.Memory;
import io.homa.memory.Packet;
import io.homa.memory.PacketPool;
import io.homa.wire.Checksum;
import io.homa.wire.Ethernet;
import io.homa.wire.HomaHeader;
import io.homa.wire.Icmp;
import io.homa.wire.Ipv4;

/// Answers pings, tells senders that nobody listens on a port, and passes on what others say about ours. Engine
/// thread only.
@HotPath
final class IcmpResponder {
    /// Bytes behind the IP header that an error quotes: the common Homa header, so that the RPC is named.
    private static final int QUOTED_BYTES = HomaHeader.LENGTH;

    /// Bytes behind the IP header that every error quotes (RFC 792).
    private static final int MIN_QUOTED_BYTES = 8;

    private final NetConfig config;
    private final LinkHeader link;
    private final Engine engine;
    private final PacketPool pool;
    private final FrameSender sender;
    private final NetCounters counters;
    private final ErrorLimit limit;

    IcmpResponder(
            NetConfig config,
            LinkHeader link,
            Engine engine,
            PacketPool pool,
            FrameSender sender,
            ErrorLimit limit,
            NetCounters counters) {
        this.config = config;
        this.link = link;
        this.engine = engine;
        this.pool = pool;
        this.sender = sender;
        this.limit = limit;
        this.counters = counters;
    }

    /// Handles a frame with ICMP in a valid IPv4 packet at `ip`. Takes the packet over.
    void onIcmp(long packet, long frame, long ip, long nowNs) {
        long icmp = ip + Ipv4.headerLength(ip);
        int length = Ipv4.totalLength(ip) - Ipv4.headerLength(ip);
        if (length < Icmp.LENGTH || Checksum.of(icmp, length) != 0) {
            drop(packet, NetCounter.DROPPED_BAD_ICMP);
        } else if (Icmp.type(icmp) == Icmp.ECHO_REQUEST) {
            reply(packet, frame, ip, icmp, length);
        } else if (Icmp.type(icmp) == Icmp.UNREACHABLE) {
            onUnreachable(Icmp.code(icmp), icmp + Icmp.LENGTH, length - Icmp.LENGTH, nowNs);
            pool.release(packet);
        } else {
            drop(packet, NetCounter.DROPPED_OTHER_PROTOCOL);
        }
    }

    private void drop(long packet, NetCounter reason) {
        counters.increment(reason);
        pool.release(packet);
    }

    /// Turns the request into the reply where it lies.
    private void reply(long packet, long frame, long ip, long icmp, int length) {
        Icmp.reply(icmp, length);
        int header = Ipv4.headerLength(ip);
        Memory.putInt(ip + 16, Ipv4.source(ip));
        Memory.putInt(ip + 12, config.address());
        Memory.putShort(ip + 10, 0);
        Memory.putShort(ip + 10, Checksum.of(ip, header));
        // The tag that it came with need not be the one it leaves with, so the headers may differ in length.
        int start = Packet.dataOffset(packet) + (int) (ip - frame) - link.length();
        long source = Ethernet.source(frame);
        Packet.frame(packet, start, link.length() + Ipv4.totalLength(ip));
        link.write(Packet.data(packet), source, Ethernet.TYPE_IPV4, 0);
        counters.increment(NetCounter.ECHO_REPLIES_SENT);
        sender.send(packet);
    }

    /// Answers the IPv4 packet at `ip`, which came in `frame`, with port unreachable. Takes the packet over.
    void portUnreachable(long packet, long frame, long ip, long nowNs) {
        if (!limit.allows(nowNs)) {
            drop(packet, NetCounter.UNREACHABLES_SUPPRESSED);
            return;
        }
        long error = pool.allocate();
        if (error == 0) {
            drop(packet, NetCounter.NO_PACKET);
            return;
        }
        int quoted = Math.min(Ipv4.totalLength(ip), Ipv4.headerLength(ip) + QUOTED_BYTES);
        int length = Icmp.LENGTH + quoted;
        Packet.frame(error, Packet.HEADROOM, link.length() + Ipv4.LENGTH + length);
        long out = Packet.data(error);
        long icmp = out + link.length() + Ipv4.LENGTH;
        Memory.copy(ip, icmp + Icmp.LENGTH, quoted);
        Icmp.write(icmp, Icmp.UNREACHABLE, Icmp.CODE_PORT, 0, length);
        Ipv4.write(out + link.length(), 0, Ipv4.LENGTH + length, Ipv4.PROTOCOL_ICMP, config.address(), Ipv4.source(ip));
        link.write(out, Ethernet.source(frame), Ethernet.TYPE_IPV4, 0);
        pool.release(packet);
        counters.increment(NetCounter.UNREACHABLES_SENT);
        sender.send(error);
    }

    /// Somebody reports that a packet of ours did not arrive; believed only if it quotes Homa from this host, and
    /// by the engine only if the RPC lives.
    private void onUnreachable(int code, long quote, int length, long nowNs) {
        if (length < Ipv4.LENGTH || Memory.getByte(quote) >>> 4 != 4) {
            return;
        }
        int header = Ipv4.headerLength(quote);
        boolean isOurs = header >= Ipv4.LENGTH
                && length >= header + MIN_QUOTED_BYTES
                && config.headers().isOwn(Ipv4.protocol(quote), quote + header, length - header)
                && Ipv4.source(quote) == config.address();
        if (!isOurs) {
            return;
        }
        if (code == Icmp.CODE_FRAGMENTATION_NEEDED) {
            PathMtu.note(counters, Icmp.rest(quote - Icmp.LENGTH) & 0xFFFF);
            return;
        }
        counters.increment(NetCounter.UNREACHABLES_RECEIVED);
        long homa = quote + header;
        long id = length >= header + HomaHeader.LENGTH ? HomaHeader.senderId(homa) : 0;
        int port = code == Icmp.CODE_PORT ? HomaHeader.destinationPort(homa) : -1;
        long low = IpAddress.mapped(Ipv4.destination(quote));
        engine.onUnreachable(0, low, port, id, error(code), nowNs);
    }

    private static RpcError error(int code) {
        return switch (code) {
            case Icmp.CODE_PORT -> RpcError.PORT_UNREACHABLE;
            case Icmp.CODE_PROTOCOL -> RpcError.PROTOCOL_UNSUPPORTED;
            default -> RpcError.HOST_UNREACHABLE;
        };
    }
}
