package io.homa.net;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;
import io.homa.memory.Packet;
import io.homa.memory.PacketPool;

/// A [PortDriver] for the loopback device, which hands the very buffers that were sent to the receiver.
///
/// A message that is sent is kept for retransmission, so sender and receiver would hold one packet and each write
/// its fields; hence what is shared is copied on its way out, as any other device does on its way in. When the
/// pool is empty the frame is lost, as on any other device.
@HotPath
public final class RingPortDriver implements PortDriver {
    private final PortDriver driver;
    private final PacketPool pool;

    public RingPortDriver(PortDriver driver, PacketPool pool) {
        this.driver = driver;
        this.pool = pool;
    }

    @Override
    public int receive() {
        return driver.receive();
    }

    @Override
    public long packet(int index) {
        return driver.packet(index);
    }

    @Override
    public long nowNs() {
        return driver.nowNs();
    }

    @Override
    public void put(int index, long packet) {
        driver.put(index, packet);
    }

    @Override
    public long detach(long packet) {
        if (Packet.references(packet) == 1) {
            return packet;
        }
        long copy = pool.allocate();
        if (copy != 0) {
            Packet.frame(copy, Packet.dataOffset(packet), Packet.length(packet));
            Memory.copy(Packet.data(packet), Packet.data(copy), Packet.length(packet));
        }
        pool.release(packet);
        return copy;
    }

    @Override
    public int transmit(int from, int count) {
        return driver.transmit(from, count);
    }

    @Override
    public boolean isLinkUp() {
        return driver.isLinkUp();
    }
}
