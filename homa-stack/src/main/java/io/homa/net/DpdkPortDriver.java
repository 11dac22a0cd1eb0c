package io.homa.net;

import io.homa.dpdk.Port;
import io.homa.dpdk.QueuePair;
import io.homa.dpdk.TscClock;
import io.homa.memory.HotPath;

/// A [PortDriver] over a DPDK queue pair; the time is the counter value that each receive burst brings along.
@HotPath
public final class DpdkPortDriver implements PortDriver {
    private final QueuePair queue;
    private final TscClock clock;
    private final Port port;

    public DpdkPortDriver(Port port, int queue, TscClock clock) {
        this.port = port;
        this.queue = port.queue(queue);
        this.clock = clock;
    }

    @Override
    public int receive() {
        return queue.receive();
    }

    @Override
    public long packet(int index) {
        return queue.packet(index);
    }

    @Override
    public long nowNs() {
        return clock.nowNs(queue.tsc());
    }

    @Override
    public void put(int index, long packet) {
        queue.put(index, packet);
    }

    @Override
    public int transmit(int from, int count) {
        return queue.transmit(from, count);
    }

    @Override
    public boolean isLinkUp() {
        return port.isLinkUp();
    }
}
