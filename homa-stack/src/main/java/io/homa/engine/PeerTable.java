package io.homa.engine;

import io.homa.memory.HotPath;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The remote hosts an engine knows: a fixed array of slots and an open-addressing index by address.
///
/// When the table is full, a host without RPCs makes room, found by a hand that goes round; losing one merely
/// costs a new exchange of cutoffs and its stored acknowledgements (protocol reference 4.8). Engine thread only.
@HotPath
final class PeerTable {
    private static final int EMPTY = -1;

    private final Peer[] peers;
    private final int[] index;
    private final int mask;
    private int used;
    private int hand;

    PeerTable(int capacity) {
        peers = new Peer[capacity];
        for (int i = 0; i < capacity; i++) {
            peers[i] = new Peer(i);
        }
        int size = Integer.highestOneBit(Math.max(capacity, 4) * 2 - 1) * 2;
        index = new int[size];
        Arrays.fill(index, EMPTY);
        mask = size - 1;
    }

    int size() {
        return used;
    }

    Peer at(int peerIndex) {
        return peers[peerIndex];
    }

    @Nullable
    Peer find(long high, long low) {
        for (int at = home(high, low); index[at] != EMPTY; at = (at + 1) & mask) {
            Peer peer = peers[index[at]];
            if (peer.addressLow() == low && peer.addressHigh() == high) {
                return peer;
            }
        }
        return null;
    }

    /// Returns the host with this address, new if need be; null when every host in the table has RPCs.
    @Nullable
    Peer findOrCreate(long high, long low) {
        Peer known = find(high, low);
        if (known != null) {
            return known;
        }
        Peer peer = used < peers.length ? peers[used++] : evict();
        if (peer == null) {
            return null;
        }
        peer.begin(high, low);
        int at = home(high, low);
        while (index[at] != EMPTY) {
            at = (at + 1) & mask;
        }
        index[at] = peer.index;
        return peer;
    }

    private @Nullable Peer evict() {
        for (int i = 0; i < peers.length; i++) {
            hand = hand + 1 < peers.length ? hand + 1 : 0;
            Peer peer = peers[hand];
            if (peer.rpcCount == 0 && peer.ackCount == 0) {
                forget(peer);
                return peer;
            }
        }
        return null;
    }

    private void forget(Peer peer) {
        int at = home(peer.addressHigh(), peer.addressLow());
        while (index[at] != peer.index) {
            at = (at + 1) & mask;
        }
        int hole = at;
        while (true) {
            at = (at + 1) & mask;
            if (index[at] == EMPTY) {
                break;
            }
            Peer moved = peers[index[at]];
            if (((at - home(moved.addressHigh(), moved.addressLow())) & mask) >= ((at - hole) & mask)) {
                index[hole] = index[at];
                hole = at;
            }
        }
        index[hole] = EMPTY;
    }

    private int home(long high, long low) {
        return (int) (Hash.mix(high * 31 + low) & mask);
    }
}
