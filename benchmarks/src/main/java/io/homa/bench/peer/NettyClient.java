package io.homa.bench.peer;

import io.homa.bench.load.Load;
import io.homa.bench.load.LoadGenerator;
import io.homa.bench.load.LoadResult;
import io.homa.bench.load.RequestSink;
import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.List;

/// The asking side over byte streams of Netty, one for each flow of a load. The load runs on the event loop.
abstract class NettyClient implements PeerClient, RequestSink {
    private final NettyLoop loop;
    private volatile List<Channel> streams = List.of();
    private volatile int firstOfSecondFlow = Integer.MAX_VALUE;

    NettyClient(NettyLoop loop) {
        this.loop = loop;
        loop.onCycle(this::cycle);
    }

    final NettyLoop loop() {
        return loop;
    }

    /// Opens a stream to the server.
    abstract Channel open();

    private void cycle() {
        LoadGenerator load = loop.load();
        if (load != null && load.onCycle(this) > 0) {
            List<Channel> open = streams;
            for (int i = 0; i < open.size(); i++) {
                open.get(i).flush();
            }
        }
    }

    @Override
    public boolean send(int slot, int requestBytes, int responseBytes) {
        Channel stream = streams.get(slot < firstOfSecondFlow ? 0 : 1);
        if (!stream.isWritable()) {
            return false;
        }
        NettyFrames.write(stream, slot, responseBytes, requestBytes);
        return true;
    }

    @Override
    public LoadResult run(Load load) throws InterruptedException {
        List<Channel> open = new ArrayList<>(streams);
        while (open.size() < load.flows().size()) {
            open.add(open());
        }
        streams = List.copyOf(open);
        firstOfSecondFlow = load.flow().outstanding();
        return loop.run(load);
    }

    @Override
    public void close() {
        streams.forEach(stream -> NettyLoop.await(stream.close()));
        loop.close();
    }
}
