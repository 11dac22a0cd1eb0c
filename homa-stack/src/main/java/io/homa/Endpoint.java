package io.homa;

import io.homa.engine.RpcError;

/// One open Homa port: where the engine's events for it go. Called on the engine's thread.
sealed interface Endpoint permits InlineEndpoint, PolledEndpoint {
    int homaPort();

    void onRequest(long rpc, long hostHigh, long hostLow, int clientPort, long firstPacket, int length);

    void onResponse(int slot, long firstPacket, int length, long rttNs);

    void onFailure(int slot, RpcError error);
}
