package io.homa.engine;

/// What the engine knows about one remote host. Engine thread only.
public final class Peer {
    private long addressHigh;
    private long addressLow;
    private int neighbour = -1;

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
    public void neighbour(int index) {
        neighbour = index;
    }

    void reset(long high, long low) {
        addressHigh = high;
        addressLow = low;
        neighbour = -1;
    }
}
