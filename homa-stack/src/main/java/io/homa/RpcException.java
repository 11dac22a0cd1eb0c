package io.homa;

import io.homa.engine.RpcError;

/// An RPC ended without a response.
public final class RpcException extends HomaException {
    private static final long serialVersionUID = 1L;

    private final RpcError error;

    RpcException(RpcError error, HomaAddress server) {
        super("RPC to " + server + " failed: " + explain(error));
        this.error = error;
    }

    /// Returns why the RPC ended.
    public RpcError error() {
        return error;
    }

    private static String explain(RpcError error) {
        return switch (error) {
            case TIMED_OUT ->
                "nothing was heard from the server for the whole timeout. Is it running, and does the network pass IP protocol 146?";
            case PORT_UNREACHABLE -> "nobody listens on that port. Start the server, or check the port number.";
            case HOST_UNREACHABLE ->
                "the host cannot be reached: it does not answer ARP, or a router says so. Check the address.";
            case PROTOCOL_UNSUPPORTED -> "the host does not speak Homa.";
            case PEER_RESTARTED ->
                "the server forgot the RPC after it had begun to answer; it was probably restarted. Try again.";
            case CANCELLED -> "it was cancelled.";
            case REFUSED -> "the table of RPCs was full. Have fewer outstanding, or raise EngineLimits.maxRpcs.";
            case CLOSED -> "the transport was closed.";
        };
    }
}
