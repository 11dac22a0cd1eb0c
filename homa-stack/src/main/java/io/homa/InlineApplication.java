package io.homa;

import io.homa.engine.RpcError;

/// An application that runs on the engine's thread: lowest latency, and every microsecond it takes is one in
/// which no packet is handled.
///
/// All methods are called on that thread; none may block.
public interface InlineApplication extends RequestHandler, ResponseHandler {
    /// The port is open; `client` sends requests from now on, on this thread only.
    default void onStart(InlineClient client) {}

    /// Called once per duty cycle.
    ///
    /// @return the amount of work done; 0 lets an idle strategy rest
    default int onCycle(long nowNs) {
        return 0;
    }

    @Override
    default void onRequest(Request request) {}

    @Override
    default void onResponse(long cookie, Message response, long rttNs) {}

    @Override
    default void onFailure(long cookie, RpcError error) {}
}
