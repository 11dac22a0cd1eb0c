package io.homa.engine;

import io.homa.memory.HotPath;
import java.util.Arrays;

/// Acknowledgements of responses that this host has received, stored per peer until a packet can carry them
/// (protocol reference 4.5).
///
/// One rides in each new DATA packet to the peer; a sixth makes an ACK packet go at once; and what has waited for
/// a quarter of the server's patience goes in an ACK packet of its own, which saves the server from asking.
/// Engine thread only.
@HotPath
final class AckQueue {
    private static final int NONE = -1;

    private final ControlPackets control;
    private final PeerTable peers;
    private final long delayNs;
    /// Peers with stored acknowledgements in the order in which they have to be served: a list linked by index.
    private final int[] next;
    private final int[] previous;
    private int first = NONE;
    private int last = NONE;

    AckQueue(ControlPackets control, PeerTable peers, EngineConfig config) {
        this.control = control;
        this.peers = peers;
        delayNs = config.timers().tickNs() * config.timers().needAckTicks() / 4;
        next = new int[config.limits().maxPeers()];
        previous = new int[config.limits().maxPeers()];
        Arrays.fill(next, NONE);
        Arrays.fill(previous, NONE);
    }

    /// Stores the acknowledgement of a client RPC that has its whole response.
    void add(Peer peer, long clientId, int localPort, int serverPort, long nowNs) {
        if (peer.ackCount == Peer.ACK_CAPACITY) {
            unlink(peer.index);
            control.ack(peer, localPort, serverPort, clientId);
            return;
        }
        if (peer.ackCount == 0) {
            peer.ackSinceNs = nowNs;
            append(peer.index);
        }
        int at = peer.ackCount++;
        peer.ackIds[at] = clientId;
        peer.ackPorts[at] = serverPort;
        peer.ackLocalPorts[at] = localPort;
    }

    /// Takes the newest stored acknowledgement off, for a DATA packet, and returns its place in the peer's
    /// arrays; −1 if there is none.
    int take(Peer peer) {
        if (peer.ackCount == 0) {
            return NONE;
        }
        peer.ackCount--;
        if (peer.ackCount == 0) {
            unlink(peer.index);
        }
        return peer.ackCount;
    }

    /// Answers NEED_ACK for `clientId`, with everything stored for the peer.
    void answer(Peer peer, int localPort, int serverPort, long clientId) {
        if (peer.ackCount > 0) {
            unlink(peer.index);
        }
        control.ack(peer, localPort, serverPort, clientId);
    }

    /// Returns when [#onTick] has something to do; `Long.MAX_VALUE` if nothing is stored.
    long nextDeadlineNs() {
        return first == NONE ? Long.MAX_VALUE : peers.at(first).ackSinceNs + delayNs;
    }

    /// Sends what has waited long enough.
    void onTick(long nowNs) {
        while (first != NONE && peers.at(first).ackSinceNs + delayNs <= nowNs) {
            Peer peer = peers.at(first);
            int at = take(peer);
            answer(peer, peer.ackLocalPorts[at], peer.ackPorts[at], peer.ackIds[at]);
        }
    }

    private void append(int peer) {
        next[peer] = NONE;
        previous[peer] = last;
        if (last == NONE) {
            first = peer;
        } else {
            next[last] = peer;
        }
        last = peer;
    }

    private void unlink(int peer) {
        int before = previous[peer];
        int after = next[peer];
        if (before == NONE) {
            first = after;
        } else {
            next[before] = after;
        }
        if (after == NONE) {
            last = before;
        } else {
            previous[after] = before;
        }
        next[peer] = NONE;
        previous[peer] = NONE;
    }
}
