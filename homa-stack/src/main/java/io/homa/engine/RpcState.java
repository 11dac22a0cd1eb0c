package io.homa.engine;

/// Where an RPC is in its life (protocol reference 4.4).
///
/// Client: `OUTGOING` → `INCOMING` → `FREE`. Server: `INCOMING` → `IN_SERVICE` → `OUTGOING` → `FREE`. Any state
/// may end in `FREE`.
enum RpcState {
    /// The slot is not in use.
    FREE,
    /// Client: the request is being sent or the response awaited. Server: the response is being sent or its
    /// acknowledgement awaited.
    OUTGOING,
    /// A part of the peer's message has arrived.
    INCOMING,
    /// Server only: the application has the request and owes the response.
    IN_SERVICE
}
