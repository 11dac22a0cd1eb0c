package io.homa.engine;

import io.homa.memory.HotPath;
import io.homa.wire.DataHeader;

/// Incast control (SIGCOMM 2018 paper, section 3.6): a client with many RPCs outstanding asks its servers to send no
/// more than one packet of each response unasked, so that answers which all come at once fit into the buffers of its
/// switch; the rest waits for grants. The kernel module has no such rule. The question stands in bytes of DATA that the
/// module never reads, see [DataHeader#wantsShortStart]; a server that does not know it answers as ever. Engine thread
/// only.
@HotPath
final class IncastControl {
    /// RPCs outstanding at a client from which it asks: with 40,000 unscheduled bytes each, these fill one megabyte of
    /// a switch, the share of a busy port in shallow ones.
    static final int MANY_REQUESTS = 25;

    private final boolean isOn;
    private final RpcTable rpcs;

    IncastControl(boolean isOn, RpcTable rpcs) {
        this.isOn = isOn;
        this.rpcs = rpcs;
    }

    /// Decides for a request that is about to be sent.
    void onRequest(Rpc rpc) {
        rpc.wantsShortStart = isOn && rpcs.clients() > MANY_REQUESTS;
    }

    /// Marks a DATA packet of a request that asks.
    void mark(Rpc rpc, long header) {
        if (rpc.isClient && rpc.wantsShortStart) {
            DataHeader.askForShortStart(header);
        }
    }

    /// Notes what the first packet of a request asks for.
    void onRequestReceived(Rpc rpc, long header) {
        rpc.wantsShortStart = isOn && DataHeader.wantsShortStart(header);
    }
}
