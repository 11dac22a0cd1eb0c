package io.homa;

import io.homa.engine.Engine;
import io.homa.engine.Segmentation;
import io.homa.memory.HotPath;
import io.homa.memory.PacketPool;
import org.jspecify.annotations.Nullable;

/// The [Outbox] of code that runs on the engine's own thread: no ring, no other thread's pool. Engine thread only.
@HotPath
final class EngineOutbox implements Outbox {
    private final Engine engine;
    private final PacketPool pool;
    private final int reserve;
    private final MessageWriter writer = new MessageWriter(this);
    private long nowNs;

    EngineOutbox(Engine engine, PacketPool pool, int reserve) {
        this.engine = engine;
        this.pool = pool;
        this.reserve = reserve;
    }

    /// Sets the time of the current duty cycle.
    void nowNs(long timeNs) {
        nowNs = timeNs;
    }

    @Override
    public @Nullable MessageWriter claim(long hostHigh, long hostLow, int length) {
        Segmentation segmentation = engine.segmentation(hostHigh, hostLow);
        if (pool.available() - segmentation.segmentCount(length) < reserve) {
            return null;
        }
        writer.begin(length);
        for (int offset = 0; offset < length; offset += segmentation.segmentLength(offset, length)) {
            long packet = pool.allocate();
            if (packet == 0) {
                writer.abort();
                return null;
            }
            writer.append(packet, segmentation, offset);
        }
        return writer;
    }

    @Override
    public long sendRequest(HomaAddress server, int clientPort, long firstPacket, int length, long cookie) {
        return engine.sendRequest(
                server.hostHigh(), server.hostLow(), server.port(), clientPort, firstPacket, length, cookie, nowNs);
    }

    @Override
    public long sendResponse(long rpc, long firstPacket, int length) {
        return engine.sendResponse(rpc, firstPacket, length, nowNs);
    }

    @Override
    public void cancel(long rpc) {
        engine.cancel(rpc, true, nowNs);
    }

    @Override
    public void release(long firstPacket) {
        engine.release(firstPacket);
    }

    @Override
    public void releaseUnsent(long firstPacket) {
        engine.release(firstPacket);
    }
}
