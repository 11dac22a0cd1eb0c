package io.homa.engine;

import io.homa.memory.PacketPool;
import org.jspecify.annotations.Nullable;

/// What the application and the network's error reports ask of the engine: send, answer, cancel, end. Engine
/// thread only.
final class ClientCommands {
    /// Stands for every local port in [#endAll].
    static final int ALL_PORTS = -1;

    private final EngineParts parts;
    private final RpcTable rpcs;
    private final PacketPool pool;
    private final Counters counters;
    private long nextId;

    ClientCommands(EngineParts parts) {
        this.parts = parts;
        rpcs = parts.rpcs;
        pool = parts.pool;
        counters = parts.counters;
        // A random start, so that a restarted client does not meet what a server still holds of its former life
        // (protocol reference 8.5).
        nextId = firstId(parts.config.seed());
    }

    /// Returns the id of the first request of an engine with this seed.
    static long firstId(long seed) {
        long id = Hash.mix(seed + 0x9E37_79B9_7F4A_7C15L) & Long.MAX_VALUE & ~1L;
        return id == 0 ? 2 : id;
    }

    long sendRequest(
            long serverHigh,
            long serverLow,
            int serverPort,
            int clientPort,
            long firstPacket,
            int length,
            long cookie,
            long nowNs) {
        long refusal = refusal(length);
        if (refusal != SendResult.OK) {
            return refusal;
        }
        if (!parts.ports.isOpen(clientPort)) {
            return SendResult.CLOSED;
        }
        Peer peer = parts.peers.findOrCreate(serverHigh, serverLow);
        Rpc rpc = peer == null ? null : rpcs.create(true, nextId, peer, clientPort, serverPort, nowNs);
        if (rpc == null) {
            counters.increment(Counter.BACK_PRESSURE);
            return SendResult.BACK_PRESSURED;
        }
        nextId = nextId + 2 > 0 ? nextId + 2 : 2;
        rpc.cookie = cookie;
        parts.incast.onRequest(rpc);
        rpc.out.begin(firstPacket, length, parts.unscheduled.of(rpc));
        parts.transmit.offer(rpc);
        parts.recovery.watch(rpc, nowNs);
        counters.increment(Counter.REQUESTS_SENT);
        return rpc.handle();
    }

    long sendResponse(long handle, long firstPacket, int length, long nowNs) {
        long refusal = refusal(length);
        if (refusal != SendResult.OK) {
            return refusal;
        }
        Rpc rpc = rpcs.byHandle(handle);
        if (rpc == null) {
            counters.increment(Counter.RESPONSES_TO_GONE_RPCS);
            OutgoingMessage.releaseChain(pool, firstPacket);
            return SendResult.OK;
        }
        if (rpc.isClient || rpc.state != RpcState.IN_SERVICE) {
            return SendResult.WRONG_STATE;
        }
        rpc.moveTo(RpcState.OUTGOING);
        rpc.startNs = nowNs;
        rpc.progress(nowNs);
        rpc.out.begin(firstPacket, length, parts.unscheduled.of(rpc));
        parts.transmit.offer(rpc);
        if (rpc.out.grantedOffset() < length) {
            parts.recovery.awaitGrants(rpc, nowNs);
        }
        counters.increment(Counter.RESPONSES_SENT);
        return SendResult.OK;
    }

    private long refusal(int length) {
        if (length > parts.paper.maxMessageLength()) {
            return SendResult.TOO_LARGE;
        }
        return length < 1 ? SendResult.EMPTY : SendResult.OK;
    }

    boolean cancel(long handle, boolean notify) {
        Rpc rpc = rpcs.byHandle(handle);
        if (rpc == null || !rpc.isClient) {
            return false;
        }
        end(rpc, notify ? RpcError.CANCELLED : null);
        return true;
    }

    boolean finish(long handle, long nowNs) {
        Rpc rpc = rpcs.byHandle(handle);
        if (rpc == null || rpc.isClient || rpc.state != RpcState.IN_SERVICE) {
            return false;
        }
        parts.lifecycle.finishServer(rpc, nowNs);
        return true;
    }

    private void end(Rpc rpc, @Nullable RpcError error) {
        if (error == null) {
            parts.lifecycle.free(rpc);
        } else {
            parts.lifecycle.fail(rpc, error);
        }
    }

    /// Ends every RPC of a local port, or of all.
    void endAll(int homaPort, long nowNs) {
        for (int slot = 0; slot < rpcs.capacity(); slot++) {
            Rpc rpc = rpcs.at(slot);
            if (rpc.state != RpcState.FREE && (homaPort == ALL_PORTS || rpc.localPort == homaPort)) {
                if (rpc.isClient) {
                    parts.lifecycle.fail(rpc, RpcError.CLOSED);
                } else {
                    parts.lifecycle.discardServer(rpc, nowNs);
                }
            }
        }
    }

    void onUnreachable(long high, long low, int homaPort, long rpcId, RpcError error, long nowNs) {
        Peer peer = parts.peers.find(high, low);
        if (peer == null || (rpcId != 0 && !rpcs.hasId(rpcId, peer, homaPort))) {
            counters.increment(Counter.DROPPED_UNKNOWN_RPC);
            return;
        }
        for (int slot = 0; slot < rpcs.capacity(); slot++) {
            Rpc rpc = rpcs.at(slot);
            if (rpc.state != RpcState.FREE && rpc.peer() == peer && (homaPort < 0 || rpc.remotePort == homaPort)) {
                if (rpc.isClient) {
                    parts.lifecycle.fail(rpc, error);
                } else {
                    parts.lifecycle.discardServer(rpc, nowNs);
                }
            }
        }
    }
}
