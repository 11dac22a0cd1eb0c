package io.homa.bench.peer;

import io.homa.HomaAsyncClient;
import io.homa.HomaTransport;
import io.homa.IdleMode;
import io.homa.bench.load.Contents;
import io.homa.bench.load.Flow;
import io.homa.bench.load.Load;
import io.homa.bench.load.LoadGenerator;
import io.homa.bench.load.LoadResult;
import io.homa.bench.load.RequestSink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.jspecify.annotations.Nullable;

/// The client of this stack that gives futures. The load's thread, the client's poller and the engine share the side's
/// CPU. What this class keeps is reused, so that garbage is the client's own.
final class HomaFutures implements PeerClient, RequestSink {
    private final HomaTransport transport;
    private final HomaAsyncClient client;
    private final Pump pump;
    private final YieldingIdleStrategy idle = new YieldingIdleStrategy();
    private final HeapRequests requests = new HeapRequests(Flow.MAX_OUTSTANDING);
    private final List<@Nullable CompletableFuture<byte[]>> responses = new ArrayList<>();
    private int highestSlot = -1;

    HomaFutures(SideConfig side, String address) {
        for (int slot = 0; slot < Flow.MAX_OUTSTANDING; slot++) {
            responses.add(null);
        }
        transport = HomaConfigs.open(HomaConfigs.client(side, address)
                .cpu(side.cpu())
                .idle(IdleMode.YIELD)
                .build());
        client = transport.asyncClient();
        pump = new Pump(side, "bench-client", this::cycle);
    }

    private void cycle(@Nullable LoadGenerator load) {
        int work = 0;
        if (load != null) {
            for (int slot = 0; slot <= highestSlot; slot++) {
                CompletableFuture<byte[]> response = responses.get(slot);
                if (response != null && response.isDone()) {
                    responses.set(slot, null);
                    byte[] bytes = response.join();
                    load.onResponse(slot, Contents.getInt(bytes, 0) == slot && Contents.isIntact(bytes));
                    work++;
                }
            }
            work += load.onCycle(this);
        }
        idle.idle(work);
    }

    @Override
    public boolean send(int slot, int requestBytes, int responseBytes) {
        byte[] request = requests.next(slot, requestBytes, responseBytes);
        responses.set(slot, client.callAsync(HomaConfigs.SERVER_ADDRESS, request));
        highestSlot = Math.max(highestSlot, slot);
        return true;
    }

    @Override
    public LoadResult run(Load load) throws InterruptedException {
        return pump.run(load);
    }

    @Override
    public void close() {
        pump.close();
        client.close();
        HomaConfigs.close(transport);
    }
}
