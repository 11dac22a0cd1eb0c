package io.homa.engine;

/// What the engine tells its owner, on the engine thread, from within `onPacket`, `onTick` and commands.
///
/// Messages arrive as a chain of packets in offset order, linked by `Packet.link`, with payload positions set;
/// the chain belongs to the receiver of the event, who gives it back with [Engine#release(long)] (any time later,
/// on the engine thread). Callbacks may send, cancel and release; they do not block and do not call `onPacket`,
/// `onTick` or `nextTransmit`.
public interface EngineEvents {
    /// A complete request arrived and is now in service; answer it with [Engine#sendResponse].
    ///
    /// @param rpc handle of the RPC, valid until the response is acknowledged or the client gives up
    /// @param peer index of the client's host, see [Engine#peer(int)]
    /// @param clientPort Homa port of the client
    /// @param serverPort local Homa port that the request came to
    /// @param firstPacket first packet of the request
    /// @param length length of the request in bytes, 1 or more
    void onRequest(long rpc, int peer, int clientPort, int serverPort, long firstPacket, int length);

    /// The response to a request of ours is complete. The RPC has ended and its handle is no longer valid.
    ///
    /// @param cookie the value given with the request
    /// @param rttNs time from the request's command to now
    void onResponse(long rpc, long cookie, long firstPacket, int length, long rttNs);

    /// An RPC of ours ended without a response. Its handle is no longer valid.
    void onFailure(long rpc, long cookie, RpcError error);
}
