package io.homa.engine;

/// Why an RPC ended at its client without a response.
public enum RpcError {
    /// Nothing was heard from the server for the whole timeout although it was asked again.
    TIMED_OUT,
    /// The server's host says that nobody listens on the port (ICMP port unreachable).
    PORT_UNREACHABLE,
    /// The network or host says that the server cannot be reached, or its link address could not be resolved.
    HOST_UNREACHABLE,
    /// The server's host does not speak Homa (ICMP protocol unreachable).
    PROTOCOL_UNSUPPORTED,
    /// The server forgot the RPC after it had begun to answer: it was restarted or gave up.
    PEER_RESTARTED,
    /// The application cancelled the RPC and asked to be told.
    CANCELLED,
    /// A table of the local engine was full when the request reached it; nothing was sent.
    REFUSED,
    /// The local Homa port was closed.
    CLOSED
}
