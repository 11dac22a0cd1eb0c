package io.homa.engine;

import io.homa.memory.HotPath;
import io.homa.memory.Packet;
import io.homa.memory.PacketPool;
import io.homa.wire.AckHeader;
import io.homa.wire.CutoffsHeader;
import io.homa.wire.GrantHeader;
import io.homa.wire.HomaHeader;
import io.homa.wire.PacketType;
import io.homa.wire.ResendHeader;

/// Writes control packets and queues them ahead of all data, at the highest priority. If the pool or the queue is
/// exhausted the packet is dropped and counted: every control packet is either repeated by a timer or asked for
/// again. Engine thread only.
@HotPath
final class ControlPackets {
    private final PacketPool pool;
    private final Counters counters;
    private final int priority;
    private final LongRing queue = new LongRing(4096);

    ControlPackets(PacketPool pool, Counters counters, int priorities) {
        this.pool = pool;
        this.counters = counters;
        this.priority = priorities - 1;
    }

    /// Takes the oldest control packet, or 0.
    long poll() {
        return queue.poll();
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    void grant(Rpc rpc, int offset, int grantPriority) {
        long packet = begin(rpc.peer(), PacketType.GRANT, GrantHeader.WRITE_LENGTH, rpc);
        if (packet != 0) {
            GrantHeader.write(Packet.data(packet), offset, grantPriority);
            counters.increment(Counter.GRANTS_SENT);
            send(packet);
        }
    }

    /// Asks for `length` bytes from `offset`; [ResendHeader#EVERYTHING] asks for all that was sent.
    void resend(Rpc rpc, int offset, int length, int resendPriority) {
        long packet = begin(rpc.peer(), PacketType.RESEND, ResendHeader.LENGTH, rpc);
        if (packet != 0) {
            ResendHeader.write(Packet.data(packet), offset, length, resendPriority);
            counters.increment(Counter.RESENDS_SENT);
            send(packet);
        }
    }

    void busy(Rpc rpc) {
        long packet = begin(rpc.peer(), PacketType.BUSY, HomaHeader.LENGTH, rpc);
        if (packet != 0) {
            counters.increment(Counter.BUSYS_SENT);
            send(packet);
        }
    }

    void needAck(Rpc rpc) {
        long packet = begin(rpc.peer(), PacketType.NEED_ACK, HomaHeader.LENGTH, rpc);
        if (packet != 0) {
            counters.increment(Counter.NEED_ACKS_SENT);
            send(packet);
        }
    }

    /// Answers the sender of `header` that there is no such RPC.
    void rpcUnknown(Peer peer, long header) {
        long packet = begin(
                peer,
                PacketType.RPC_UNKNOWN,
                HomaHeader.LENGTH,
                HomaHeader.destinationPort(header),
                HomaHeader.sourcePort(header),
                HomaHeader.localId(header));
        if (packet != 0) {
            counters.increment(Counter.RPC_UNKNOWNS_SENT);
            send(packet);
        }
    }

    void cutoffs(Peer peer, int localPort, int remotePort, long localId, PriorityCutoffs cutoffs) {
        long packet = begin(peer, PacketType.CUTOFFS, CutoffsHeader.LENGTH, localPort, remotePort, localId);
        if (packet != 0) {
            long header = Packet.data(packet);
            for (int i = 0; i < 8; i++) {
                CutoffsHeader.cutoff(header, i, cutoffs.cutoff(i));
            }
            CutoffsHeader.cutoffVersion(header, cutoffs.version());
            counters.increment(Counter.CUTOFFS_SENT);
            send(packet);
        }
    }

    /// Acknowledges the client RPC `clientId` and everything stored for `peer`, whose store is emptied.
    void ack(Peer peer, int localPort, int remotePort, long clientId) {
        long packet = begin(peer, PacketType.ACK, AckHeader.LENGTH, localPort, remotePort, clientId);
        if (packet == 0) {
            return;
        }
        long header = Packet.data(packet);
        AckHeader.count(header, peer.ackCount);
        for (int i = 0; i < Peer.ACK_CAPACITY; i++) {
            boolean isUsed = i < peer.ackCount;
            AckHeader.ack(header, i, isUsed ? peer.ackIds[i] : 0, isUsed ? peer.ackPorts[i] : 0);
        }
        peer.ackCount = 0;
        counters.increment(Counter.ACKS_SENT);
        send(packet);
    }

    private long begin(Peer peer, int type, int length, Rpc rpc) {
        return begin(peer, type, length, rpc.localPort, rpc.remotePort, rpc.id);
    }

    private long begin(Peer peer, int type, int length, int localPort, int remotePort, long localId) {
        long packet = pool.allocate();
        if (packet == 0) {
            counters.increment(Counter.CONTROL_DROPPED);
            return 0;
        }
        Packet.frame(packet, Packet.HEADROOM, length);
        Packet.peer(packet, peer.index);
        Packet.priority(packet, priority);
        HomaHeader.write(Packet.data(packet), type, localPort, remotePort, localId);
        return packet;
    }

    private void send(long packet) {
        if (!queue.offer(packet)) {
            counters.increment(Counter.CONTROL_DROPPED);
            pool.release(packet);
        }
    }

    /// Releases everything queued.
    void close() {
        for (long packet = queue.poll(); packet != 0; packet = queue.poll()) {
            pool.release(packet);
        }
    }
}
