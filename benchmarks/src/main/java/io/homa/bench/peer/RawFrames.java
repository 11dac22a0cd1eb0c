package io.homa.bench.peer;

import io.homa.dpdk.DeviceSpec;
import io.homa.dpdk.Eal;
import io.homa.dpdk.EalConfig;
import io.homa.dpdk.MbufPool;
import io.homa.dpdk.Port;
import io.homa.dpdk.PortConfig;
import io.homa.dpdk.QueuePair;
import io.homa.memory.HotPath;
import io.homa.memory.Memory;
import io.homa.memory.Packet;

/// The frames of `raw-ping` (native/src/raw_ping.c) through the bindings: a device, its packets, and nothing else. Its
/// burst methods belong to one thread.
final class RawFrames implements AutoCloseable {
    /// What a frame asks its receiver to do; the first payload byte.
    static final int ECHO = 1;

    static final int DATA_TOUCHED = 3;
    static final int END = 4;

    /// As many as Homa's: Ethernet, IPv4, DATA.
    static final int HEADER_BYTES = 90;

    private static final int ETHERNET_BYTES = 14;
    private static final int ETHER_TYPE_OFFSET = 12;
    private static final int ETHER_TYPE = 0x88b5;
    private static final long BROADCAST = 0xFFFF_FFFF_FFFFL;
    private static final int POOL_PACKETS = 16_384;
    private static final int MEMORY_MEGABYTES = 512;

    private final MbufPool pool;
    private final Port port;
    private final QueuePair queue;
    private final int room;

    RawFrames(String device, int mtu) {
        Eal eal = Eal.start(EalConfig.virtual(MEMORY_MEGABYTES));
        pool = new MbufPool(eal, POOL_PACKETS, mtu);
        port = Port.open(eal, DeviceSpec.parse(device), PortConfig.DEFAULT.withMtu(mtu), pool);
        queue = port.queue(0);
        room = mtu - (HEADER_BYTES - ETHERNET_BYTES);
    }

    boolean isLinkUp() {
        return port.isLinkUp();
    }

    /// Returns the most payload bytes of a frame.
    int room() {
        return room;
    }

    @HotPath
    int receive() {
        return queue.receive();
    }

    @HotPath
    long packet(int index) {
        return queue.packet(index);
    }

    /// Returns what the frame asks for; 0 if it is not one of these frames.
    @HotPath
    int operation(long packet) {
        long frame = Packet.data(packet);
        boolean isOurs =
                Packet.length(packet) > HEADER_BYTES && Memory.getShort(frame + ETHER_TYPE_OFFSET) == ETHER_TYPE;
        return isOurs ? Memory.getByte(frame + HEADER_BYTES) : 0;
    }

    @HotPath
    long payload(long packet) {
        return Packet.data(packet) + HEADER_BYTES;
    }

    @HotPath
    int payloadLength(long packet) {
        return Packet.length(packet) - HEADER_BYTES;
    }

    /// Makes a frame; 0 when all packets are in use.
    @HotPath
    long make(int operation, int size) {
        long packet = pool.allocate();
        if (packet == 0) {
            return 0;
        }
        Packet.length(packet, HEADER_BYTES + size);
        long frame = Packet.data(packet);
        Memory.putLong(frame, BROADCAST << 16 | 0x0200);
        Memory.putInt(frame + 8, 0);
        for (int at = ETHER_TYPE_OFFSET; at + 8 <= HEADER_BYTES; at += 8) {
            Memory.putLongNative(frame + at, 0);
        }
        Memory.putShort(frame + ETHER_TYPE_OFFSET, ETHER_TYPE);
        Memory.putByte(frame + HEADER_BYTES, operation);
        return packet;
    }

    @HotPath
    void put(int index, long packet) {
        queue.put(index, packet);
    }

    /// Sends the first `count` packets of the burst, waiting for room.
    @HotPath
    void sendAll(int count) {
        for (int sent = 0; sent < count; ) {
            sent += queue.transmit(sent, count - sent);
        }
    }

    @HotPath
    void release(long packet) {
        pool.release(packet);
    }

    @Override
    public void close() {
        port.close();
        pool.close();
    }
}
