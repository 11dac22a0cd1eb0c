package io.homa.engine;

import io.homa.memory.HotPath;
import io.homa.memory.Packet;
import io.homa.memory.PacketPool;
import io.homa.wire.AckHeader;
import io.homa.wire.CutoffsHeader;
import io.homa.wire.DataHeader;
import io.homa.wire.HomaHeader;
import io.homa.wire.PacketType;

/// The protocol engine of one queue pair: clients' and servers' RPCs, grants, priorities, recovery. Engine thread
/// only.
///
/// **Packets in**: the frame of a packet given to [#onPacket] is exactly Homa header and payload (link and IP
/// headers stripped, padding trimmed). **Packets out**: [#nextTransmit] returns a packet whose frame is Homa
/// header and payload, with `Packet.peer` and `Packet.priority` set; one reference goes to the caller, and there
/// is headroom for link and IP headers. **Addresses** are IPv6 as two longs, IPv4 as v4-mapped (`high` 0, `low`
/// `0xFFFF_aabb_ccdd`). This class only dispatches; every decision lies in one of its parts.
@HotPath
public final class Engine {
    /// The packet was taken; it belongs to the engine.
    public static final int CONSUMED = 0;

    /// Nobody listens on the packet's port: the caller still owns the packet and should answer with ICMP port
    /// unreachable.
    public static final int PORT_UNREACHABLE = 1;

    /// First port that the kernel assigns to clients; lower ones are for servers.
    public static final int FIRST_CLIENT_PORT = 32_768;

    private static final long ANY_IPV4 = 0xFFFF_0000_0000L;

    private final PacketPool pool;
    private final Counters counters;
    private final EngineParts parts;
    private final MessageReceiver receiver;
    private final MessageSender sender;
    private final ClientCommands clients;
    private final int maxMessageLength;

    public Engine(EngineConfig config, PacketPool pool, EngineEvents events, Counters counters) {
        this.pool = pool;
        this.counters = counters;
        parts = new EngineParts(config, pool, events, counters);
        receiver = new MessageReceiver(parts);
        sender = new MessageSender(parts);
        clients = new ClientCommands(parts);
        maxMessageLength = parts.paper.maxMessageLength();
    }

    /// Handles one received packet.
    ///
    /// @param priority priority it arrived with, 0…7
    /// @return [#CONSUMED] or [#PORT_UNREACHABLE]
    public int onPacket(long packet, long sourceHigh, long sourceLow, int priority, long nowNs) {
        counters.increment(Counter.PACKETS_RECEIVED);
        long header = Packet.data(packet);
        int length = Packet.length(packet);
        if (!PacketType.isValid(header, length)) {
            return drop(packet, Counter.DROPPED_MALFORMED);
        }
        int type = HomaHeader.type(header);
        if (type == PacketType.FREEZE) {
            return drop(packet, Counter.DROPPED_FREEZE);
        }
        int localPort = HomaHeader.destinationPort(header);
        boolean isForServer = (HomaHeader.localId(header) & 1) != 0;
        if (isForServer ? !parts.ports.acceptsRequests(localPort) : !parts.ports.isOpen(localPort)) {
            counters.increment(Counter.DROPPED_PORT_CLOSED);
            return PORT_UNREACHABLE;
        }
        if (type == PacketType.DATA && !DataHeader.isValid(header, length, maxMessageLength)) {
            return drop(packet, Counter.DROPPED_MALFORMED);
        }
        Peer peer = parts.peers.findOrCreate(sourceHigh, sourceLow);
        if (peer == null) {
            return drop(packet, Counter.DROPPED_NO_PEER_SLOT);
        }
        peer.lastHeardNs = nowNs;
        if (type == PacketType.DATA) {
            parts.arrivals.onData(priority, nowNs);
            receiver.onData(packet, peer, parts.memory.isLow(), nowNs);
        } else {
            onControl(type, header, length, peer, nowNs);
            pool.release(packet);
        }
        return CONSUMED;
    }

    private int drop(long packet, Counter reason) {
        counters.increment(reason);
        pool.release(packet);
        return CONSUMED;
    }

    private void onControl(int type, long header, int length, Peer peer, long nowNs) {
        switch (type) {
            case PacketType.CUTOFFS -> onCutoffs(header, peer);
            case PacketType.NEED_ACK -> receiver.onNeedAck(header, peer, nowNs);
            case PacketType.ACK -> onAck(header, peer, nowNs);
            default -> onMessageControl(type, header, length, peer, nowNs);
        }
    }

    /// GRANT, RESEND, BUSY and RPC_UNKNOWN concern one message that this host sends.
    private void onMessageControl(int type, long header, int length, Peer peer, long nowNs) {
        long id = HomaHeader.localId(header);
        Rpc rpc = parts.rpcs.find(id, peer, HomaHeader.sourcePort(header), HomaHeader.destinationPort(header));
        if (type == PacketType.RESEND) {
            counters.increment(Counter.RESENDS_RECEIVED);
        }
        if (rpc == null) {
            if (parts.rpcs.hasId(id)) {
                counters.increment(Counter.DROPPED_WRONG_SOURCE);
            } else if (type == PacketType.RESEND) {
                parts.control.rpcUnknown(peer, header);
            } else {
                counters.increment(Counter.DROPPED_UNKNOWN_RPC);
            }
            return;
        }
        switch (type) {
            case PacketType.GRANT -> sender.onGrant(rpc, header, length, nowNs);
            case PacketType.RESEND -> sender.onResend(rpc, header, nowNs);
            case PacketType.BUSY -> rpc.progress(nowNs);
            default -> onRpcUnknown(rpc, nowNs);
        }
    }

    /// The peer has no such RPC. A server's state is worthless then; a client sends its request again, unless it
    /// had a part of the response already: then the server has been restarted. One packet does not prove it, which
    /// may be a late answer from before the server had the request; but that nothing else comes for as long as the
    /// kernel module waits before it asks does.
    private void onRpcUnknown(Rpc rpc, long nowNs) {
        if (!rpc.isClient) {
            parts.lifecycle.discardServer(rpc, nowNs);
        } else if (rpc.state == RpcState.OUTGOING) {
            sender.restart(rpc, nowNs);
        } else if (rpc.unknownSinceNs == 0) {
            rpc.unknownSinceNs = nowNs;
            parts.recovery.request(rpc, nowNs);
        } else if (nowNs - rpc.unknownSinceNs >= parts.recovery.resendNs()) {
            parts.lifecycle.fail(rpc, RpcError.PEER_RESTARTED);
        }
    }

    private void onCutoffs(long header, Peer peer) {
        for (int i = 1; i < peer.cutoffs.length; i++) {
            long cutoff = CutoffsHeader.cutoff(header, i);
            peer.cutoffs[i] = (int) Math.min(cutoff, Integer.MAX_VALUE);
        }
        peer.cutoffVersion = CutoffsHeader.cutoffVersion(header);
    }

    private void onAck(long header, Peer peer, long nowNs) {
        receiver.onAcked(HomaHeader.localId(header), peer, HomaHeader.destinationPort(header), nowNs);
        int count = AckHeader.count(header);
        for (int i = 0; i < count; i++) {
            receiver.onAcked(AckHeader.clientId(header, i) ^ 1, peer, AckHeader.serverPort(header, i), nowNs);
        }
    }

    /// Ends a burst of received packets: grants are evaluated once for all of them.
    public void onBurstEnd(long nowNs) {
        parts.memory.check(nowNs);
        parts.grants.run(parts.memory.isLow(), nowNs);
    }

    /// Handles every deadline that is due. Cheap when none is.
    public void onTick(long nowNs) {
        if (nowNs >= parts.timers.nextDeadlineNs()) {
            parts.recovery.onTick(parts.memory.isLow(), nowNs);
        }
        if (nowNs >= parts.acks.nextDeadlineNs()) {
            parts.acks.onTick(nowNs);
        }
        parts.grants.run(parts.memory.isLow(), nowNs);
    }

    /// Returns the length of a pause of this host, in nanoseconds, after which [#onResume] has to be called first.
    public long pauseNs() {
        return parts.recovery.pauseNs();
    }

    /// This host did not run for `pauseNs` (stopped, suspended, short of CPU): what the peers did not say
    /// meanwhile is not held against them.
    public void onResume(long pauseNs, long nowNs) {
        parts.recovery.onResume(pauseNs, nowNs);
    }

    /// Returns when [#onTick] has to be called at the latest; `Long.MAX_VALUE` when nothing waits for time.
    public long nextDeadlineNs() {
        return Math.min(parts.timers.nextDeadlineNs(), parts.acks.nextDeadlineNs());
    }

    /// Returns the packet that should leave now, or 0 when none may: control packets first, then retransmissions,
    /// then the message with the fewest bytes left.
    public long nextTransmit(long nowNs) {
        long packet = parts.control.poll();
        if (packet != 0) {
            parts.pacer.charge(Packet.length(packet), nowNs);
        } else {
            packet = sender.next(nowNs);
        }
        if (packet != 0) {
            counters.increment(Counter.PACKETS_SENT);
        }
        return packet;
    }

    /// Says when [#nextTransmit] can have something: now (0) or earlier, later because of pacing, or
    /// `Long.MAX_VALUE` when nothing waits.
    public long nextTransmitNs() {
        if (!parts.control.isEmpty() || sender.hasResends()) {
            return 0;
        }
        return parts.transmit.isEmpty() ? Long.MAX_VALUE : parts.pacer.nextTransmitNs();
    }

    /// Opens a local Homa port. Ports 1…32767 are for servers, 32768…65535 for clients; any may send requests.
    ///
    /// @return false if it is open already
    public boolean openPort(int homaPort, boolean acceptsRequests) {
        Checks.range("Homa port", homaPort, 1, 65_535);
        if (parts.ports.isOpen(homaPort)) {
            return false;
        }
        parts.ports.open(homaPort, acceptsRequests);
        return true;
    }

    /// Closes a local Homa port: its RPCs end, clients' with [RpcError#CLOSED], and nothing is sent.
    public void closePort(int homaPort, long nowNs) {
        parts.ports.close(homaPort);
        clients.endAll(homaPort, nowNs);
    }

    /// Returns how messages to `high`/`low` must be cut; see [#sendRequest].
    public Segmentation segmentation(long high, long low) {
        return parts.segmentation(high, low);
    }

    /// Sends a request.
    ///
    /// The chain of packets holds the message cut by [#segmentation], linked by `Packet.link`, payload position
    /// and message offset set, with at least 110 bytes of headroom in front of each payload.
    ///
    /// @return the RPC's handle, or a negative [SendResult]; the packets belong to the engine only if the result
    ///     is not negative
    public long sendRequest(
            long serverHigh,
            long serverLow,
            int serverPort,
            int clientPort,
            long firstPacket,
            int length,
            long cookie,
            long nowNs) {
        return clients.sendRequest(serverHigh, serverLow, serverPort, clientPort, firstPacket, length, cookie, nowNs);
    }

    /// Answers a request. If the RPC is gone, the packets are released and the result is [SendResult#OK]: the
    /// client has given up or was answered.
    ///
    /// @return [SendResult#OK] or a negative constant of it; the packets belong to the engine only if the result
    ///     is OK
    public long sendResponse(long rpc, long firstPacket, int length, long nowNs) {
        return clients.sendResponse(rpc, firstPacket, length, nowNs);
    }

    /// Ends a client RPC without telling the server. With `notify` the application gets [RpcError#CANCELLED],
    /// else it hears nothing more.
    ///
    /// @return false if the handle names no live client RPC
    public boolean cancel(long rpc, boolean notify, long nowNs) {
        return clients.cancel(rpc, notify);
    }

    /// Ends a server RPC that the application has received and will not answer. The client is not told.
    ///
    /// @return false if the handle names no RPC that waits for its answer
    public boolean finish(long rpc, long nowNs) {
        return clients.finish(rpc, nowNs);
    }

    /// Gives back a chain of packets that an event delivered.
    public void release(long firstPacket) {
        OutgoingMessage.releaseChain(pool, firstPacket);
    }

    /// The network reported that a host, or a port of it, cannot be reached. Client RPCs that it concerns fail
    /// with `error`.
    ///
    /// @param homaPort server port that the report quotes, or −1 for the whole host
    /// @param rpcId id in the quoted Homa header as sent, or 0 if not quoted; a nonzero id that names no live RPC
    ///     with that host and port makes the report worthless
    public void onUnreachable(long high, long low, int homaPort, long rpcId, RpcError error, long nowNs) {
        clients.onUnreachable(high, low, homaPort, rpcId, error, nowNs);
    }

    EngineParts parts() {
        return parts;
    }

    /// Returns the remote host at `index`.
    public Peer peer(int index) {
        return parts.peers.at(index);
    }

    /// Replaces the table that senders are told: the longest message that may use each of the eight priorities
    /// for its unscheduled bytes. It stays from then on, whatever messages come in.
    public void cutoffs(int[] longestMessages) {
        parts.adaptive.turnOff();
        parts.cutoffs.set(longestMessages);
    }

    /// Returns the packets that applications must leave in the pool, so that messages can be received: room for the
    /// longest one, but no more than half of the pool.
    public int receiveReserve() {
        int reserve = parts.config.limits().poolReserve();
        int longest = parts.segmentation(0, ANY_IPV4).segmentCount(EngineConfig.MAX_MESSAGE_LENGTH);
        return Math.min(Math.max(2 * reserve, reserve + longest), pool.capacity() / 2);
    }

    /// Returns how many RPCs, of clients and servers, there are now.
    public int rpcCount() {
        return parts.rpcs.size();
    }

    /// Ends all RPCs and gives back every packet. Sends nothing.
    public void close(long nowNs) {
        clients.endAll(ClientCommands.ALL_PORTS, nowNs);
        sender.close();
        parts.control.close();
    }
}
