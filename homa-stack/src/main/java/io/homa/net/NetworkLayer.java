package io.homa.net;

import io.homa.engine.Engine;
import io.homa.memory.HotPath;
import io.homa.memory.PacketPool;

/// Everything between the driver and one engine: frames in, frames out, and the time-driven work of ARP. Engine
/// thread only.
@HotPath
public final class NetworkLayer {
    private final FrameReceiver receiver;
    private final FrameSender sender;
    private final Neighbours neighbours;
    private final NetCounters counters;
    private boolean isLinkUp;

    public NetworkLayer(NetConfig config, Engine engine, PacketPool pool, NetCounters counters) {
        this.counters = counters;
        neighbours = new Neighbours(config);
        LinkHeader link = new LinkHeader(config);
        ErrorLimit limit = new ErrorLimit();
        Ipv6Config own = config.ipv6();
        Ipv6Layer ipv6 = own == null ? null : new Ipv6Layer(config, own, link, pool, counters);
        sender = new FrameSender(config, link, engine, pool, neighbours, ipv6, counters);
        IcmpResponder icmp = new IcmpResponder(config, link, engine, pool, sender, limit, counters);
        Ipv6Receiver receiver6 = null;
        if (ipv6 != null) {
            NeighbourDiscovery discovery = new NeighbourDiscovery(ipv6, link, neighbours, sender, counters);
            receiver6 = new Ipv6Receiver(config, ipv6, link, engine, pool, discovery, sender, limit, counters);
        }
        receiver = new FrameReceiver(config, link, engine, pool, neighbours, sender, icmp, receiver6, counters);
    }

    /// Notes whether the device has a link. When it comes up, at start as well, this host announces its addresses
    /// and has those of the others confirmed.
    public void onLink(boolean isUp, long nowNs) {
        if (isUp && !isLinkUp) {
            neighbours.doubtAll(nowNs);
            sender.announce();
        } else if (isLinkUp && !isUp) {
            counters.increment(NetCounter.LINK_DOWNS);
        }
        isLinkUp = isUp;
    }

    /// Handles one received frame. Takes the packet over.
    public void onFrame(long packet, long nowNs) {
        receiver.onFrame(packet, nowNs);
    }

    /// Returns the next frame to transmit, or 0; the caller owns one reference.
    public long nextFrame(long nowNs) {
        return sender.nextFrame(nowNs);
    }

    /// Asks again for neighbours that packets wait for. Cheap when none is due.
    public void onTick(long nowNs) {
        sender.onTick(nowNs);
    }

    /// Returns when [#onTick] has something to do; `Long.MAX_VALUE` if nothing waits.
    public long nextDeadlineNs() {
        return sender.nextDeadlineNs();
    }

    /// Releases every packet held.
    public void close() {
        sender.close();
    }
}
