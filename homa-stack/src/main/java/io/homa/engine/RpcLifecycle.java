package io.homa.engine;

import io.homa.memory.HotPath;
import io.homa.memory.PacketPool;

/// Ends RPCs: takes them out of every structure, gives back what they hold, and tells the application. Engine
/// thread only.
@HotPath
final class RpcLifecycle {
    private final PacketPool pool;
    private final GapPool gaps;
    private final RpcTable rpcs;
    private final TimerWheel timers;
    private final GrantScheduler grants;
    private final TransmitScheduler transmit;
    private final Tombstones tombstones;
    private final AckQueue acks;
    private final EngineEvents events;
    private final Counters counters;

    RpcLifecycle(EngineParts parts) {
        pool = parts.pool;
        gaps = parts.gaps;
        rpcs = parts.rpcs;
        timers = parts.timers;
        grants = parts.grants;
        transmit = parts.transmit;
        tombstones = parts.tombstones;
        acks = parts.acks;
        events = parts.events;
        counters = parts.counters;
    }

    /// A message is complete: hands a request or a response to the application.
    void complete(Rpc rpc, long nowNs) {
        int length = rpc.in.length();
        grants.remove(rpc);
        long packets = rpc.in.takePackets();
        long handle = rpc.handle();
        if (rpc.isClient) {
            long cookie = rpc.cookie;
            long rttNs = nowNs - rpc.startNs;
            acks.add(rpc.peer(), rpc.id, rpc.localPort, rpc.remotePort, nowNs);
            free(rpc);
            counters.increment(Counter.RESPONSES_RECEIVED);
            events.onResponse(handle, cookie, packets, length, rttNs);
        } else {
            timers.cancel(rpc.slot);
            rpc.moveTo(RpcState.IN_SERVICE);
            counters.increment(Counter.REQUESTS_RECEIVED);
            events.onRequest(handle, rpc.peer().index, rpc.remotePort, rpc.localPort, packets, length);
        }
    }

    /// Ends a client RPC without a response and tells the application.
    void fail(Rpc rpc, RpcError error) {
        long handle = rpc.handle();
        long cookie = rpc.cookie;
        free(rpc);
        counters.increment(Counter.RPCS_FAILED);
        events.onFailure(handle, cookie, error);
    }

    /// Ends a server RPC whose request has been executed; a late copy of the request will be recognised.
    void finishServer(Rpc rpc, long nowNs) {
        tombstones.add(rpc.id, rpc.peer(), rpc.remotePort, nowNs);
        free(rpc);
    }

    /// Ends a server RPC that the client no longer wants. If the application has seen the request, it is
    /// remembered.
    void discardServer(Rpc rpc, long nowNs) {
        counters.increment(Counter.SERVER_RPCS_DISCARDED);
        if (rpc.state == RpcState.INCOMING) {
            free(rpc);
        } else {
            finishServer(rpc, nowNs);
        }
    }

    /// Ends a server RPC whose response nobody acknowledges.
    void giveUpResponse(Rpc rpc, long nowNs) {
        counters.increment(Counter.RESPONSES_UNACKNOWLEDGED);
        discardServer(rpc, nowNs);
    }

    /// Takes an RPC out of everything, silently.
    void free(Rpc rpc) {
        timers.cancel(rpc.slot);
        grants.remove(rpc);
        if (rpc.out.maySend()) { // else it is not there, which the message knows without a look at the heaps
            transmit.remove(rpc);
        }
        rpc.in.end(pool, gaps);
        rpc.out.end(pool);
        rpcs.remove(rpc);
    }
}
