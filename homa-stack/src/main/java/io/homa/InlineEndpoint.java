package io.homa;

import io.homa.engine.RpcError;
import io.homa.memory.HotPath;

/// A port whose events go straight to an application on the engine's thread.
@HotPath
final class InlineEndpoint implements Endpoint {
    private final int index;
    private final int homaPort;
    private final Outbox outbox;
    private final InlineApplication application;
    private final CookieSlots slots;
    private final Request request;
    private final InlineClient client;
    private final Message response = new Message();

    InlineEndpoint(int index, int homaPort, Outbox outbox, InlineApplication application, int maxOutstanding) {
        this.index = index;
        this.homaPort = homaPort;
        this.outbox = outbox;
        this.application = application;
        slots = new CookieSlots(maxOutstanding);
        request = new Request(outbox);
        client = new InlineClient(outbox, this);
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

    int takeSlot(long cookie) {
        return slots.take(cookie);
    }

    void freeSlot(int slot) {
        slots.free(slot);
    }

    long engineCookie(int slot) {
        return (long) index << 32 | slot;
    }

    @Override
    public void onRequest(long rpc, long hostLow, int clientPort, long firstPacket, int length) {
        request.begin(rpc, hostLow, clientPort, firstPacket, length);
        application.onRequest(request);
        request.end();
    }

    @Override
    public void onResponse(int slot, long firstPacket, int length, long rttNs) {
        long cookie = slots.cookie(slot);
        slots.free(slot);
        response.wrap(firstPacket, length);
        application.onResponse(cookie, response, rttNs);
        long rest = response.takeRemaining();
        if (rest != 0) {
            outbox.release(rest);
        }
    }

    @Override
    public void onFailure(int slot, RpcError error) {
        long cookie = slots.cookie(slot);
        slots.free(slot);
        application.onFailure(cookie, error);
    }
}
