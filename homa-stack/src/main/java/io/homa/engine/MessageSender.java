package io.homa.engine;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;
import io.homa.memory.Packet;
import io.homa.memory.PacketPool;
import io.homa.wire.DataHeader;
import io.homa.wire.GrantHeader;
import io.homa.wire.ResendHeader;

/// What the sender of a message does: writes DATA packets, and serves GRANT, RESEND and RPC_UNKNOWN (protocol
/// reference 3). Engine thread only.
@HotPath
final class MessageSender {
    /// Flag of a packet that waits in the queue of retransmissions.
    private static final int QUEUED = 1;

    /// Flag of a packet that has been sent again.
    private static final int RESENT = 2;

    /// Longest time for which a second request for a packet is taken to have crossed the packet.
    private static final long MAX_SUPPRESSION_NS = 1_000_000;

    /// The same for a packet that was sent again already, while no round trip to the peer has been measured, as to
    /// hosts that are only clients.
    private static final long UNMEASURED_SUPPRESSION_NS = 10_000;

    private final EngineParts parts;
    private final PacketPool pool;
    private final Counters counters;
    private final int priorities;
    private final LongRing resends = new LongRing(8192);

    MessageSender(EngineParts parts) {
        this.parts = parts;
        pool = parts.pool;
        counters = parts.counters;
        priorities = parts.config.priorities();
    }

    /// Returns the next packet of all messages, retransmissions first, or 0; one reference goes to the caller.
    long next(long nowNs) {
        long packet = resends.poll();
        if (packet != 0) {
            Packet.flags(packet, Packet.flags(packet) & ~QUEUED);
            parts.pacer.charge(Packet.length(packet), nowNs);
            return packet;
        }
        int slot = parts.transmit.next(nowNs);
        return slot < 0 ? 0 : nextOf(parts.rpcs.at(slot), nowNs);
    }

    boolean hasResends() {
        return !resends.isEmpty();
    }

    private long nextOf(Rpc rpc, long nowNs) {
        OutgoingMessage out = rpc.out;
        Peer peer = rpc.peer();
        long packet = out.nextPacket();
        int offset = out.sentOffset();
        int priority = offset < out.unscheduledBytes()
                ? peer.unscheduledPriority(parts.paper.unscheduledRank(out), priorities)
                : out.scheduledPriority();
        writeHeader(rpc, packet, out.unscheduledBytes(), false, priority);
        attachAck(peer, Packet.data(packet));
        Packet.flags(packet, 0);
        Packet.timeStampNs(packet, nowNs);
        int bytes = Packet.payloadLength(packet);
        if (offset == 0) {
            out.firstSentNs(nowNs);
        }
        out.advance();
        rpc.progress(nowNs);
        parts.transmit.sent(rpc, bytes);
        parts.pacer.charge(Packet.length(packet), nowNs);
        counters.add(Counter.DATA_BYTES_SENT, bytes);
        if (out.isSent()) {
            onSent(rpc, nowNs);
        }
        pool.retain(packet);
        return packet;
    }

    private void onSent(Rpc rpc, long nowNs) {
        if (rpc.isClient) {
            rpc.requestSentNs = nowNs;
            parts.early.watchResponse(rpc, nowNs);
        } else {
            parts.recovery.awaitAck(rpc, nowNs);
        }
    }

    private void writeHeader(Rpc rpc, long packet, int incoming, boolean isRetransmission, int priority) {
        Peer peer = rpc.peer();
        int payloadLength = Packet.payloadLength(packet);
        Packet.frame(packet, Packet.payloadStart(packet) - DataHeader.LENGTH, DataHeader.LENGTH + payloadLength);
        Packet.peer(packet, peer.index);
        Packet.priority(packet, priority);
        DataHeader.write(
                Packet.data(packet),
                rpc.localPort,
                rpc.remotePort,
                rpc.id,
                rpc.out.length(),
                incoming,
                Packet.messageOffset(packet),
                isRetransmission,
                peer.cutoffVersion);
        parts.incast.mark(rpc, Packet.data(packet));
    }

    private void attachAck(Peer peer, long header) {
        int at = parts.acks.take(peer);
        if (at >= 0) {
            DataHeader.ack(header, peer.ackIds[at], peer.ackPorts[at]);
        }
    }

    /// The receiver allows more. Meant only while the message is on its way; an old offset still brings the
    /// newest priority.
    void onGrant(Rpc rpc, long header, int length, long nowNs) {
        rpc.progress(nowNs);
        if (rpc.state != RpcState.OUTGOING) {
            counters.increment(Counter.DROPPED_WRONG_STATE);
            return;
        }
        counters.increment(Counter.GRANTS_RECEIVED);
        rpc.out.scheduledPriority(Math.min(GrantHeader.priority(header), priorities - 1));
        long offset = GrantHeader.offset(header);
        if (length == GrantHeader.LENGTH) {
            rpc.peer().understandsEverything = true;
        } else if (GrantHeader.asksForAll(header, length)) {
            restart(rpc, nowNs);
        }
        if (offset <= Integer.MAX_VALUE && rpc.out.grant((int) offset)) {
            if (rpc.out.firstSentNs() != 0) {
                rpc.peer().path.measured(nowNs - rpc.out.firstSentNs());
                parts.unscheduled.onAnswer(rpc.peer());
                rpc.out.firstSentNs(0);
            }
            parts.transmit.offer(rpc);
        }
    }

    /// The receiver misses bytes: sends again what was sent, takes the range as a grant for what was not, and
    /// says BUSY if it has to wait.
    void onResend(Rpc rpc, long header, long nowNs) {
        boolean isPreparing = !rpc.isClient && rpc.state != RpcState.OUTGOING;
        if (isPreparing) {
            parts.control.busy(rpc);
            return;
        }
        int length = ResendHeader.length(header);
        if (length == ResendHeader.EVERYTHING) {
            rpc.peer().understandsEverything = true;
        }
        OutgoingMessage out = rpc.out;
        int sentEnd = out.sentOffset();
        long start = ResendHeader.offset(header);
        int priority = Math.min(ResendHeader.priority(header), priorities - 1);
        if (length < ResendHeader.EVERYTHING) {
            counters.increment(Counter.DROPPED_MALFORMED);
            return;
        }
        long end = length == ResendHeader.EVERYTHING ? sentEnd : start + length;
        int resendEnd = (int) Math.min(end, sentEnd);
        if (start < resendEnd) {
            parts.unscheduled.onResend(rpc, (int) start, nowNs);
            retransmit(rpc, (int) start, resendEnd, priority, nowNs);
        }
        boolean isInState = rpc.state == RpcState.OUTGOING;
        if (isInState && out.grant((int) Math.min(end, Integer.MAX_VALUE))) {
            parts.transmit.offer(rpc);
        }
        if (start >= sentEnd || length == 0) {
            parts.control.busy(rpc);
        }
    }

    /// The server has no such RPC: starts over with everything that was sent.
    void restart(Rpc rpc, long nowNs) {
        int sentEnd = rpc.out.sentOffset();
        if (sentEnd > 0) {
            int priority = rpc.peer().unscheduledPriority(rpc.out.length(), priorities);
            retransmit(rpc, 0, sentEnd, priority, nowNs);
        }
    }

    /// Queues the whole segments that hold `[start, end)`, which must have been sent.
    private void retransmit(Rpc rpc, int start, int end, int priority, long nowNs) {
        rpc.out.firstSentNs(0);
        long packet = rpc.out.packetAt(start);
        while (packet != 0 && Packet.messageOffset(packet) < end) {
            if (isResendDue(packet, rpc.peer(), nowNs)) {
                if (!queueResend(rpc, packet, end, priority, nowNs)) {
                    return;
                }
            } else {
                counters.increment(Counter.RESENDS_SUPPRESSED);
            }
            packet = Packet.link(packet);
        }
    }

    /// Says whether asking again for this packet makes sense: not while it waits here, nor when it left less than
    /// half a round trip ago, because the question must be older.
    private static boolean isResendDue(long packet, Peer peer, long nowNs) {
        long ageNs = nowNs - Packet.timeStampNs(packet);
        int flags = Packet.flags(packet);
        long unmeasuredNs = (flags & RESENT) == 0 ? 0 : UNMEASURED_SUPPRESSION_NS;
        long rttNs = peer.path.shortestNs();
        long crossingNs = rttNs == 0 ? unmeasuredNs : Math.min(rttNs / 2, MAX_SUPPRESSION_NS);
        return (flags & QUEUED) == 0 && ageNs >= crossingNs;
    }

    private boolean queueResend(Rpc rpc, long packet, int end, int priority, long nowNs) {
        long copy = packet;
        if (Packet.references(packet) > 1) {
            // The device may still be reading it, so its header must not change.
            copy = duplicate(packet);
            if (copy == 0) {
                counters.increment(Counter.RESENDS_SUPPRESSED);
                return false;
            }
        } else {
            pool.retain(packet);
        }
        writeHeader(rpc, copy, end, true, priority);
        Packet.flags(packet, copy == packet ? QUEUED | RESENT : RESENT);
        Packet.timeStampNs(packet, nowNs);
        if (!resends.offer(copy)) {
            Packet.flags(packet, RESENT);
            pool.release(copy);
            counters.increment(Counter.RESENDS_SUPPRESSED);
            return false;
        }
        counters.add(Counter.DATA_BYTES_RESENT, Packet.payloadLength(packet));
        return true;
    }

    private long duplicate(long packet) {
        long copy = pool.allocate();
        if (copy != 0) {
            int length = Packet.payloadLength(packet);
            Packet.payload(copy, Packet.HEADROOM, length);
            Packet.messageOffset(copy, Packet.messageOffset(packet));
            Packet.flags(copy, 0);
            Memory.copy(Packet.payload(packet), Packet.payload(copy), length);
            counters.add(Counter.BYTES_COPIED, length);
        }
        return copy;
    }

    /// Releases every queued retransmission.
    void close() {
        for (long packet = resends.poll(); packet != 0; packet = resends.poll()) {
            pool.release(packet);
        }
    }
}
