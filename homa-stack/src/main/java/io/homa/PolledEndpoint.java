package io.homa;

import io.homa.engine.RpcError;
import io.homa.memory.HotPath;

/// A port whose events wait in a ring until an application thread polls. The ring has a place for every RPC that
/// the engine can hold, so it never overflows.
@HotPath
final class PolledEndpoint implements Endpoint {
    static final int REQUEST = 1;
    static final int RESPONSE = 2;
    static final int FAILURE = 3;

    private final int index;
    private final int homaPort;
    private final HandleRing events;
    /// The engine's handle of each outstanding request. Engine thread.
    private final long[] rpcs;

    PolledEndpoint(int index, int homaPort, int maxEvents, int maxOutstanding) {
        this.index = index;
        this.homaPort = homaPort;
        events = new HandleRing(maxEvents);
        rpcs = new long[maxOutstanding];
    }

    @Override
    public int homaPort() {
        return homaPort;
    }

    HandleRing events() {
        return events;
    }

    int index() {
        return index;
    }

    void rpc(int slot, long handle) {
        rpcs[slot] = handle;
    }

    long rpc(int slot) {
        return rpcs[slot];
    }

    @Override
    public void onRequest(long rpc, long hostHigh, long hostLow, int clientPort, long firstPacket, int length) {
        boolean isQueued = events.offer(REQUEST, rpc, hostLow, clientPort, firstPacket, length, hostHigh);
        assert isQueued;
    }

    @Override
    public void onResponse(int slot, long firstPacket, int length, long rttNs) {
        boolean isQueued = events.offer(RESPONSE, slot, 0, 0, firstPacket, length, rttNs);
        assert isQueued;
    }

    @Override
    public void onFailure(int slot, RpcError error) {
        boolean isQueued = events.offer(FAILURE, slot, error.ordinal(), 0, 0, 0, 0);
        assert isQueued;
    }
}
