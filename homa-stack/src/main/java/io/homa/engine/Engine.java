package io.homa.engine;

import io.homa.memory.PacketPool;

/// The protocol engine of one queue pair: clients' and servers' RPCs, grants, priorities, recovery. Engine thread
/// only.
///
/// **Packets in**: the frame of a packet given to [#onPacket] is exactly Homa header and payload (link and IP headers
/// stripped, padding trimmed).
/// **Packets out**: [#nextTransmit] returns a packet whose frame is Homa header and payload, with `Packet.peer` and
/// `Packet.priority` set;
/// one reference goes to the caller, and there is headroom for link and IP headers.
/// **Addresses** are IPv6 as two longs, IPv4 as v4-mapped (`high` 0, `low` `0xFFFF_aabb_ccdd`).
public final class Engine {
    /// The packet was taken; it belongs to the engine.
    public static final int CONSUMED = 0;

    /// Nobody listens on the packet's port: the caller still owns the packet and should answer with ICMP port
    /// unreachable.
    public static final int PORT_UNREACHABLE = 1;

    public Engine(EngineConfig config, PacketPool pool, EngineEvents events, Counters counters) {}

    /// Handles one received packet.
    ///
    /// @param priority priority it arrived with, 0…7 (statistics only)
    public int onPacket(long packet, long sourceHigh, long sourceLow, int priority, long nowNs) {
        return CONSUMED;
    }

    /// Ends a burst of received packets: grants are evaluated once for all of them.
    public void onBurstEnd(long nowNs) {}

    /// Handles every deadline that is due. Cheap when none is.
    public void onTick(long nowNs) {}

    /// Returns when [#onTick] has to be called at the latest; `Long.MAX_VALUE` when nothing waits for time.
    public long nextDeadlineNs() {
        return Long.MAX_VALUE;
    }

    /// Returns the packet that should leave now, or 0 when none may: the message with the fewest bytes left first,
    /// control packets before data.
    public long nextTransmit(long nowNs) {
        return 0;
    }

    /// Says when a call of [#nextTransmit] that returned 0 for pacing can succeed; `Long.MAX_VALUE` when nothing
    /// waits.
    public long nextTransmitNs() {
        return Long.MAX_VALUE;
    }

    /// Opens a local Homa port. Ports 1…32767 are for servers, 32768…65535 for clients; any may send requests.
    ///
    /// @return false if it is open already
    public boolean openPort(int homaPort, boolean acceptsRequests) {
        return true;
    }

    /// Closes a local Homa port: its RPCs end, clients' with [RpcError#CLOSED], and nothing is sent.
    public void closePort(int homaPort, long nowNs) {}

    /// Returns how messages to `high`/`low` must be cut; see [#sendRequest].
    public Segmentation segmentation(long high, long low) {
        return new Segmentation(1424, 40_000);
    }

    /// Sends a request.
    ///
    /// The chain of packets holds the message cut by [#segmentation], linked by `Packet.link`, payload position and
    /// message offset set, with
    /// at least 100 bytes of headroom in front of each payload.
    ///
    /// @return the RPC's handle, or a negative [SendResult]; the packets belong to the engine only if the result is
    ///     not negative
    public long sendRequest(
            long serverHigh,
            long serverLow,
            int serverPort,
            int clientPort,
            long firstPacket,
            int length,
            long cookie,
            long nowNs) {
        return SendResult.CLOSED;
    }

    /// Answers a request. If the RPC is gone, the packets are released and the result is [SendResult#OK]: the client
    /// has given up or was answered.
    public long sendResponse(long rpc, long firstPacket, int length, long nowNs) {
        return SendResult.CLOSED;
    }

    /// Ends a client RPC without telling the server. With `notify` the application gets [RpcError#CANCELLED], else it
    /// hears nothing more.
    ///
    /// @return false if the handle names no live client RPC
    public boolean cancel(long rpc, boolean notify, long nowNs) {
        return false;
    }

    /// Gives back a chain of packets that an event delivered.
    public void release(long firstPacket) {}

    /// The network reported that a host, or a port of it, cannot be reached. Client RPCs that it concerns fail with
    /// `error`.
    ///
    /// @param homaPort server port that the report quotes, or −1 for the whole host
    /// @param rpcId id in the quoted Homa header as sent, or 0 if not quoted; a nonzero id that names no live RPC
    ///     makes the report worthless
    public void onUnreachable(long high, long low, int homaPort, long rpcId, RpcError error, long nowNs) {}

    /// Returns the remote host at `index`.
    public Peer peer(int index) {
        return new Peer();
    }

    /// Ends all RPCs and gives back every packet. Sends nothing.
    public void close(long nowNs) {}
}
