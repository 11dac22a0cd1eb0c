package io.homa.bench;

import io.homa.bench.peer.Peer;
import io.homa.bench.peer.VethPair;
import java.util.List;
import java.util.Set;

/// Cases that contenders are compared in, and what is expected of the figures.
///
/// @param name as on the command line
/// @param purpose what it shows, in one line
/// @param peers contenders, the floor first
/// @param cases what to measure; all of a packet size follow each other
/// @param idleOnly contenders that take part only in cases whose name begins with `idle`
/// @param bars what is expected
record Suite(String name, String purpose, List<Peer> peers, List<Case> cases, Set<Peer> idleOnly, List<Bar> bars) {
    Suite {
        peers = List.copyOf(peers);
        cases = List.copyOf(cases);
        bars = List.copyOf(bars);
    }

    /// Says whether a contender takes part in a case.
    boolean includes(Peer peer, Case of) {
        boolean hasPackets = peer != Peer.TCP_VETH || of.mtu() == VethPair.MTU;
        return hasPackets && (!idleOnly.contains(peer) || of.name().startsWith("idle"));
    }
}
