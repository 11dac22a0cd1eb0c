package io.homa.engine;

import io.homa.memory.HotPath;
import org.jspecify.annotations.Nullable;

/// The state of one RPC, at its client or its server. A slot of [RpcTable], used again and again. Engine thread
/// only.
final class Rpc {
    final int slot;
    final OutgoingMessage out = new OutgoingMessage();
    final IncomingMessage in = new IncomingMessage();

    RpcState state = RpcState.FREE;
    boolean isClient;
    /// Whether the response's unscheduled part is to be short, see [IncastControl].
    boolean wantsShortStart;
    /// The id as this host knows it: even at the client, odd at the server.
    long id;
    int localPort;
    int remotePort;
    /// The application's own value, client only.
    long cookie;
    /// When the request's command came (client) or its first packet (server).
    long startNs;
    /// When the last byte of the request left, client only.
    long requestSentNs;
    /// When the peer last showed progress; the start of the silence that leads to RESEND and timeout.
    long lastProgressNs;
    /// RESEND rounds since the last progress.
    int resendRounds;
    /// Early questions about a missing end, or for a response, since the last data.
    int probes;
    /// NEED_ACKs sent, server only.
    int needAcks;
    /// When RPC_UNKNOWN came although part of the response had arrived; 0 if it did not.
    long unknownSinceNs;

    /// Links of the grant scheduler's heap of waiting messages: first child, next and previous sibling (or parent).
    @Nullable
    Rpc waitChild;

    @Nullable
    Rpc waitNext;

    @Nullable
    Rpc waitPrevious;

    private int generation;
    private @Nullable Peer peer;

    Rpc(int slot) {
        this.slot = slot;
    }

    /// Starts a new life in this slot.
    void begin(boolean client, long localId, Peer remote, int localHomaPort, int remoteHomaPort, long nowNs) {
        generation = (generation + 1) & Integer.MAX_VALUE;
        if (generation == 0) {
            generation = 1;
        }
        isClient = client;
        wantsShortStart = false;
        id = localId;
        peer = remote;
        localPort = localHomaPort;
        remotePort = remoteHomaPort;
        cookie = 0;
        startNs = nowNs;
        requestSentNs = nowNs;
        lastProgressNs = nowNs;
        resendRounds = 0;
        probes = 0;
        needAcks = 0;
        unknownSinceNs = 0;
        state = client ? RpcState.OUTGOING : RpcState.INCOMING;
        remote.rpcCount++;
    }

    /// Ends this life: the handle is no longer valid.
    void end() {
        assert state != RpcState.FREE;
        peer().rpcCount--;
        state = RpcState.FREE;
    }

    /// Moves on to `next`; the legal ways are those of [RpcState].
    void moveTo(RpcState next) {
        assert isClient
                ? state == RpcState.OUTGOING && next == RpcState.INCOMING
                : (state == RpcState.INCOMING && next == RpcState.IN_SERVICE)
                        || (state == RpcState.IN_SERVICE && next == RpcState.OUTGOING);
        state = next;
    }

    /// Returns the remote host. Only for a slot in use.
    @HotPath
    Peer peer() {
        Peer remote = peer;
        assert remote != null;
        return remote;
    }

    /// Returns the handle: generation above slot, always positive.
    @HotPath
    long handle() {
        return (long) generation << 32 | slot;
    }

    /// Notes a sign of life from the peer.
    @HotPath
    void progress(long nowNs) {
        lastProgressNs = nowNs;
        resendRounds = 0;
    }
}
