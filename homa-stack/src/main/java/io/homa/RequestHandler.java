package io.homa;

/// Serves requests.
@FunctionalInterface
public interface RequestHandler {
    /// Handles one request. Its message is valid until this returns, unless it is kept. Must not block when it
    /// runs inline.
    void onRequest(Request request);
}
