package io.homa.engine;

import io.homa.memory.HotPath;
import io.homa.memory.Packet;
import io.homa.wire.DataHeader;
import io.homa.wire.HomaHeader;
import org.jspecify.annotations.Nullable;

/// What the receiver of a message does with DATA, and with questions about it (protocol reference 4.1, 4.2, 4.4).
/// Engine thread only.
@HotPath
final class MessageReceiver {
    /// CUTOFFS to one peer are at least this far apart; a kernel sends one per jiffy, 1 to 10 ms.
    private static final long CUTOFFS_INTERVAL_NS = 4_000_000;

    private final EngineParts parts;
    private final RpcTable rpcs;
    private final Counters counters;
    private long births;

    MessageReceiver(EngineParts parts) {
        this.parts = parts;
        rpcs = parts.rpcs;
        counters = parts.counters;
    }

    /// Handles a DATA packet whose header is valid.
    void onData(long packet, Peer peer, boolean isMemoryLow, long nowNs) {
        long header = Packet.data(packet);
        int localPort = HomaHeader.destinationPort(header);
        int remotePort = HomaHeader.sourcePort(header);
        long id = HomaHeader.localId(header);
        long acked = DataHeader.ackClientId(header);
        if (acked != 0) {
            onAcked(acked ^ 1, peer, DataHeader.ackServerPort(header), nowNs);
        }
        Rpc rpc = rpcs.find(id, peer, remotePort, localPort);
        if (rpc == null) {
            rpc = isServerId(id) ? createServer(header, id, peer, isMemoryLow, nowNs) : dropUnknown(id);
        } else if (!accepts(rpc, header, nowNs)) {
            rpc = null;
        }
        if (rpc == null) {
            parts.pool.release(packet);
            return;
        }
        if (DataHeader.cutoffVersion(header) != parts.cutoffs.version()) {
            tellCutoffs(rpc, nowNs);
        }
        store(rpc, packet, header, nowNs);
    }

    private static boolean isServerId(long id) {
        return (id & 1) != 0;
    }

    private @Nullable Rpc dropUnknown(long id) {
        counters.increment(rpcs.hasId(id) ? Counter.DROPPED_WRONG_SOURCE : Counter.DROPPED_UNKNOWN_RPC);
        return null;
    }

    private @Nullable Rpc createServer(long header, long id, Peer peer, boolean isMemoryLow, long nowNs) {
        int remotePort = HomaHeader.sourcePort(header);
        if (parts.tombstones.contains(id, peer, remotePort, nowNs)) {
            counters.increment(Counter.DROPPED_TOMBSTONE);
            return null;
        }
        if (isMemoryLow) {
            counters.increment(Counter.DROPPED_NO_MEMORY);
            return null;
        }
        Rpc rpc = rpcs.create(false, id, peer, HomaHeader.destinationPort(header), remotePort, nowNs);
        if (rpc == null) {
            counters.increment(Counter.DROPPED_NO_RPC_SLOT);
            return null;
        }
        parts.incast.onRequestReceived(rpc, header);
        beginMessage(rpc, header, nowNs);
        parts.recovery.watch(rpc, nowNs);
        parts.early.watch(rpc, nowNs);
        return rpc;
    }

    private void beginMessage(Rpc rpc, long header, long nowNs) {
        int length = (int) DataHeader.messageLength(header);
        int unscheduled = (int) Math.min(DataHeader.incoming(header), length);
        rpc.in.begin(length, unscheduled, births++);
        parts.adaptive.onMessage(length, unscheduled, nowNs);
    }

    /// Says whether a known RPC can use the packet; starts the response at a client.
    private boolean accepts(Rpc rpc, long header, long nowNs) {
        if (rpc.isClient && rpc.state == RpcState.OUTGOING) {
            rpc.moveTo(RpcState.INCOMING);
            beginMessage(rpc, header, nowNs);
            rpc.peer().path.answered(nowNs - rpc.requestSentNs);
            parts.unscheduled.onAnswer(rpc.peer());
            parts.early.watch(rpc, nowNs);
            return true;
        }
        if (rpc.state != RpcState.INCOMING) {
            counters.increment(Counter.DROPPED_WRONG_STATE);
            return false;
        }
        if (DataHeader.messageLength(header) != rpc.in.length()) {
            counters.increment(Counter.DROPPED_MALFORMED);
            return false;
        }
        return true;
    }

    private void store(Rpc rpc, long packet, long header, long nowNs) {
        rpc.progress(nowNs);
        rpc.unknownSinceNs = 0;
        int payloadLength = Packet.length(packet) - DataHeader.LENGTH;
        int offset = (int) DataHeader.offset(header);
        boolean isRetransmission = DataHeader.isRetransmission(header);
        Packet.messageOffset(packet, offset);
        Packet.payload(packet, Packet.dataOffset(packet) + DataHeader.LENGTH, payloadLength);
        int added = rpc.in.add(packet, parts.gaps, nowNs);
        if (added == 0) {
            counters.increment(parts.gaps.available() == 0 ? Counter.DROPPED_NO_GAP_SLOT : Counter.DROPPED_DUPLICATE);
            parts.pool.release(packet);
        } else {
            parts.early.onData(rpc, offset, isRetransmission, nowNs);
        }
        counters.add(Counter.DATA_BYTES_RECEIVED, added);
        if (rpc.in.isComplete()) {
            parts.lifecycle.complete(rpc, nowNs);
        } else {
            parts.grants.mark(rpc);
        }
    }

    private void tellCutoffs(Rpc rpc, long nowNs) {
        Peer peer = rpc.peer();
        if (nowNs - peer.cutoffsSentNs >= CUTOFFS_INTERVAL_NS) {
            peer.cutoffsSentNs = nowNs;
            parts.control.cutoffs(peer, rpc.localPort, rpc.remotePort, rpc.id, parts.cutoffs);
        }
    }

    /// The client `peer` has the whole response of server RPC `id`.
    void onAcked(long id, Peer peer, int serverPort, long nowNs) {
        Rpc rpc = rpcs.findAcked(id, peer, serverPort);
        if (rpc != null && !rpc.isClient && rpc.state == RpcState.OUTGOING) {
            parts.lifecycle.finishServer(rpc, nowNs);
        }
    }

    /// The server asks whether we have its response: yes, or what is missing.
    void onNeedAck(long header, Peer peer, long nowNs) {
        long id = HomaHeader.localId(header);
        int localPort = HomaHeader.destinationPort(header);
        int remotePort = HomaHeader.sourcePort(header);
        if (isServerId(id)) {
            counters.increment(Counter.DROPPED_WRONG_STATE);
            return;
        }
        Rpc rpc = rpcs.find(id, peer, remotePort, localPort);
        if (rpc != null) {
            parts.recovery.onNeedAck(rpc, nowNs);
        } else if (rpcs.hasId(id)) {
            counters.increment(Counter.DROPPED_WRONG_SOURCE);
        } else {
            parts.acks.answer(peer, localPort, remotePort, id);
        }
    }
}
