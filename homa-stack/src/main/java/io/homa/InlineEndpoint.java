package io.homa;

import io.homa.engine.RpcError;
import io.homa.memory.HotPath;

/// A port whose events go straight to an application on the engine's thread.
@HotPath
final class InlineEndpoint implements Endpoint {
    private final int homaPort;
    private final Outbox outbox;
    private final InlineApplication application;
    private final RequestSender requests;
    private final Request request;
    private final InlineClient client;
    private final Message response = new Message();

    InlineEndpoint(int index, int homaPort, Outbox outbox, InlineApplication application, int maxOutstanding) {
        this.homaPort = homaPort;
        this.outbox = outbox;
        this.application = application;
        requests = new RequestSender(outbox, maxOutstanding, index, homaPort);
        request = new Request(outbox);
        client = new InlineClient(outbox, requests);
    }

    void start() {
        application.onStart(client);
    }

    int onCycle(long nowNs) {
        return application.onCycle(nowNs);
    }

    @Override
    public int homaPort() {
        return homaPort;
    }

    @Override
    public void onRequest(long rpc, long hostHigh, long hostLow, int clientPort, long firstPacket, int length) {
        request.begin(rpc, hostHigh, hostLow, clientPort, firstPacket, length);
        application.onRequest(request);
        request.end();
    }

    @Override
    public void onResponse(int slot, long firstPacket, int length, long rttNs) {
        long cookie = requests.end(slot);
        response.wrap(firstPacket, length);
        application.onResponse(cookie, response, rttNs);
        long rest = response.takeRemaining();
        if (rest != 0) {
            outbox.release(rest);
        }
    }

    @Override
    public void onFailure(int slot, RpcError error) {
        long cookie = requests.end(slot);
        application.onFailure(cookie, error);
    }
}
