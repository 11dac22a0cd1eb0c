package io.homa;

import io.homa.engine.Engine;
import io.homa.engine.EngineEvents;
import io.homa.engine.Peer;
import io.homa.engine.RpcError;
import io.homa.memory.HotPath;
import org.jspecify.annotations.Nullable;

/// Leads the engine's events to the endpoint that they are for, and records round-trip times. Engine thread only.
@HotPath
final class EventRouter implements EngineEvents {
    static final int MAX_ENDPOINTS = 1_024;

    private final Endpoint[] endpoints = new Endpoint[MAX_ENDPOINTS];
    private final short[] byPort = new short[65_536];
    private final LatencyRecorder latency;
    private @Nullable Engine engine;

    EventRouter(LatencyRecorder latency) {
        this.latency = latency;
    }

    void engine(Engine source) {
        engine = source;
    }

    void add(int index, Endpoint endpoint) {
        endpoints[index] = endpoint;
        byPort[endpoint.homaPort()] = (short) index;
    }

    Endpoint endpoint(int index) {
        return endpoints[index];
    }

    @Override
    public void onRequest(long rpc, int peer, int clientPort, int serverPort, long firstPacket, int length) {
        Engine source = engine;
        assert source != null;
        Peer client = source.peer(peer);
        endpoints[byPort[serverPort]].onRequest(
                rpc, client.addressHigh(), client.addressLow(), clientPort, firstPacket, length);
    }

    @Override
    public void onResponse(long rpc, long cookie, long firstPacket, int length, long rttNs) {
        latency.record(length, rttNs);
        endpoints[(int) (cookie >>> 32)].onResponse((int) cookie, firstPacket, length, rttNs);
    }

    @Override
    public void onFailure(long rpc, long cookie, RpcError error) {
        endpoints[(int) (cookie >>> 32)].onFailure((int) cookie, error);
    }
}
