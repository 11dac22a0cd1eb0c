package io.homa;

import io.homa.engine.RpcError;

/// Takes the ends of requests.
public interface ResponseHandler {
    /// The response is there. It is valid until this returns, unless it is kept.
    ///
    /// @param cookie the value given with the request
    /// @param rttNs time from the engine's taking the request to the complete response, in nanoseconds
    void onResponse(long cookie, Message response, long rttNs);

    /// There will be no response.
    void onFailure(long cookie, RpcError error);
}
