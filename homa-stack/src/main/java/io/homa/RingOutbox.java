package io.homa;

import io.homa.engine.Engine;
import io.homa.engine.Segmentation;
import io.homa.engine.SendResult;
import io.homa.memory.HotPath;
import io.homa.memory.Memory;
import io.homa.memory.SharedPacketPool;
import org.jspecify.annotations.Nullable;

/// The [Outbox] of an application thread: packets from the shared side of the pool, commands through the ring.
/// One thread at a time.
@HotPath
final class RingOutbox implements Outbox {
    private final CoreShare core;
    private final Engine engine;
    private final SharedPacketPool pool;
    private final HandleRing commands;
    private final MessageWriter writer = new MessageWriter(this);
    private final long packets;

    RingOutbox(CoreShare core) {
        this.core = core;
        engine = core.engine();
        pool = core.pool();
        commands = core.commands();
        packets = core.allocateAddresses();
    }

    @Override
    public @Nullable MessageWriter claim(long hostHigh, long hostLow, int length) {
        // The cut depends on configuration only, so another thread may ask for it.
        Segmentation segmentation = engine.segmentation(hostHigh, hostLow);
        int count = segmentation.segmentCount(length);
        if (core.isClosed() || core.freePackets() - count < core.reserve() || !pool.allocate(packets, count)) {
            return null;
        }
        writer.begin(length);
        int offset = 0;
        for (int i = 0; i < count; i++) {
            writer.append(Memory.getLongNative(packets + i * (long) Long.BYTES), segmentation, offset);
            offset += segmentation.segmentLength(offset, length);
        }
        return writer;
    }

    @Override
    public long sendRequest(HomaAddress server, int clientPort, long firstPacket, int length, long cookie) {
        long ports = server.port() | (long) clientPort << 16;
        return offer(Command.SEND_REQUEST, cookie, server.hostHigh(), server.hostLow(), ports, firstPacket, length);
    }

    @Override
    public long sendResponse(long rpc, long firstPacket, int length) {
        return offer(Command.SEND_RESPONSE, rpc, 0, 0, 0, firstPacket, length);
    }

    private long offer(int command, long handle, long high, long low, long ports, long firstPacket, int length) {
        if (core.isClosed()) {
            return SendResult.CLOSED;
        }
        return commands.offer(command, handle, low, ports, firstPacket, length, high)
                ? SendResult.OK
                : SendResult.BACK_PRESSURED;
    }

    @Override
    public void cancel(long cookie) {
        insist(Command.CANCEL, cookie, 0);
    }

    @Override
    public void release(long firstPacket) {
        insist(Command.RELEASE, 0, firstPacket);
    }

    @Override
    public void releaseUnsent(long firstPacket) {
        insist(Command.RELEASE, 0, firstPacket);
    }

    /// Waits for a place in the ring, which the engine's thread empties every cycle; packets must not get lost.
    private void insist(int command, long handle, long firstPacket) {
        while (!core.isClosed() && !commands.offer(command, handle, 0, 0, firstPacket, 0, 0)) {
            Thread.onSpinWait();
        }
    }
}
