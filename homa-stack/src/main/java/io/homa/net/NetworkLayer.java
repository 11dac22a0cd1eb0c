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

    public NetworkLayer(NetConfig config, Engine engine, PacketPool pool, NetCounters counters) {
        Neighbours neighbours = new Neighbours(config);
        ErrorLimit limit = new ErrorLimit();
        Ipv6Config own = config.ipv6();
        Ipv6Layer ipv6 = own == null ? null : new Ipv6Layer(config, own, engine, pool, limit, counters);
        sender = new FrameSender(config, engine, pool, neighbours, ipv6, counters);
        IcmpResponder icmp = new IcmpResponder(config, engine, pool, sender, limit, counters);
        receiver = new FrameReceiver(config, engine, pool, neighbours, sender, icmp, ipv6, counters);
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
