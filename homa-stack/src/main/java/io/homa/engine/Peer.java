package io.homa.engine;

import io.homa.memory.HotPath;
import org.jspecify.annotations.Nullable;

/// What the engine knows about one remote host. A slot of [PeerTable], used again and again. Engine thread only.
@HotPath
public final class Peer {
    /// Acknowledgements that one ACK packet lists, and that a peer stores.
    static final int ACK_CAPACITY = 5;

    final int index;
    /// Its table of cutoffs: `cutoffs[i]` is the longest message that may use priority `i`.
    final int[] cutoffs = new int[8];
    int cutoffVersion;
    /// Whether it has shown that it takes a RESEND of length −1 for "everything": kernels of 6.10.6 do not
    /// (protocol reference 2.16).
    boolean understandsEverything;
    /// When CUTOFFS was last sent to it.
    long cutoffsSentNs;
    /// When the last packet of any kind came from it.
    long lastHeardNs;
    /// RESEND and NEED_ACK packets sent to it since `questionsSinceNs`.
    int questions;

    long questionsSinceNs;
    /// RPCs that name this peer; a peer with none may be evicted.
    int rpcCount;
    /// Its messages in the grant scheduler's active set.
    int activeGrants;
    /// Its best message that waits for a place there: root of a heap of RPCs.
    @Nullable
    Rpc waiting;

    /// Unscheduled bytes of a message to it after losses; 0 if there were none lately.
    int unscheduledLimit;

    long unscheduledCutNs;

    final PathEstimate path = new PathEstimate();
    final ResendBudget resendBudget = new ResendBudget();

    final long[] ackIds = new long[ACK_CAPACITY];
    final int[] ackPorts = new int[ACK_CAPACITY];
    final int[] ackLocalPorts = new int[ACK_CAPACITY];
    int ackCount;
    /// When the oldest stored acknowledgement came.
    long ackSinceNs;

    private long addressHigh;
    private long addressLow;
    private int neighbour = -1;

    Peer(int index) {
        this.index = index;
    }

    /// Returns the upper half of the IPv6 address; IPv4 addresses are v4-mapped (upper half 0).
    public long addressHigh() {
        return addressHigh;
    }

    /// Returns the lower half of the IPv6 address; for IPv4 `0xFFFF_aabb_ccdd`.
    public long addressLow() {
        return addressLow;
    }

    /// Returns what the network layer stored for this host (its neighbour entry), or −1.
    public int neighbour() {
        return neighbour;
    }

    /// Stores the network layer's neighbour entry, so that it need not look the address up again.
    public void neighbour(int entry) {
        neighbour = entry;
    }

    void begin(long high, long low) {
        addressHigh = high;
        addressLow = low;
        neighbour = -1;
        for (int i = 0; i < cutoffs.length; i++) {
            cutoffs[i] = 0;
        }
        // Until it says otherwise everything goes at level 6 (protocol reference 3.2), or at 0 with so few levels that
        // 6 is not used.
        cutoffs[6] = Integer.MAX_VALUE;
        cutoffs[0] = Integer.MAX_VALUE;
        cutoffVersion = 0;
        understandsEverything = false;
        cutoffsSentNs = Long.MIN_VALUE / 2;
        lastHeardNs = Long.MIN_VALUE / 2;
        questions = 0;
        questionsSinceNs = Long.MIN_VALUE / 2;
        rpcCount = 0;
        activeGrants = 0;
        waiting = null;
        unscheduledLimit = 0;
        unscheduledCutNs = Long.MIN_VALUE / 2;
        path.reset();
        resendBudget.reset();
        ackCount = 0;
    }

    /// Returns the priority of unscheduled packets of a message of `length` bytes to this host, with `priorities`
    /// levels in use.
    int unscheduledPriority(int length, int priorities) {
        for (int i = priorities - 1; i > 0; i--) {
            if (cutoffs[i] >= length) {
                return i;
            }
        }
        return 0;
    }
}
