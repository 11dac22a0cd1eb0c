package io.homa.net;

import java.util.Arrays;

/// Hardware addresses of hosts on the link, by IPv4 address, and when to ask for them again. Bounded; engine
/// thread only.
///
/// An entry is *asked for* until an answer comes, then *known*; a known one is asked for again after
/// [#REFRESH_NS] of age, and meanwhile used. After [#MAX_TRIES] requests without an answer it has failed. Static
/// entries never change.
final class Neighbours {
    /// Time between two requests for one neighbour.
    static final long REQUEST_INTERVAL_NS = 50_000_000;

    /// Requests without an answer after which a neighbour is taken for unreachable: 0.75 s, before an RPC to it
    /// times out.
    static final int MAX_TRIES = 15;

    /// Age at which a known address is asked for again.
    static final long REFRESH_NS = 30_000_000_000L;

    static final int NONE = -1;

    private static final int CAPACITY = 4096;
    private static final int MASK = 2 * CAPACITY - 1;

    private final int[] address = new int[CAPACITY];
    private final long[] mac = new long[CAPACITY];
    private final boolean[] isStatic = new boolean[CAPACITY];
    private final int[] tries = new int[CAPACITY];
    private final long[] nextRequestNs = new long[CAPACITY];
    private final int[] index = new int[2 * CAPACITY];
    private int count;

    Neighbours(NetConfig config) {
        Arrays.fill(index, NONE);
        // What this host sends to itself comes back on a loopback device.
        addStatic(config.address(), config.mac());
        config.staticNeighbours().forEach(this::addStatic);
    }

    private void addStatic(int ip, long hardware) {
        int entry = findOrAdd(ip);
        mac[entry] = hardware;
        isStatic[entry] = true;
    }

    int count() {
        return count;
    }

    int address(int entry) {
        return address[entry];
    }

    /// Returns the hardware address, or 0 while it is not known.
    long mac(int entry) {
        return mac[entry];
    }

    /// Returns the entry of an address, or NONE.
    int find(int ip) {
        for (int at = home(ip); index[at] != NONE; at = (at + 1) & MASK) {
            if (address[index[at]] == ip) {
                return index[at];
            }
        }
        return NONE;
    }

    /// Returns the entry of an address, new if need be; NONE when the table is full. Entries are never taken
    /// away, so that their numbers can be kept.
    int findOrAdd(int ip) {
        int at = home(ip);
        while (index[at] != NONE) {
            if (address[index[at]] == ip) {
                return index[at];
            }
            at = (at + 1) & MASK;
        }
        if (count == CAPACITY) {
            return NONE;
        }
        int entry = count++;
        index[at] = entry;
        address[entry] = ip;
        mac[entry] = 0;
        tries[entry] = 0;
        nextRequestNs[entry] = 0;
        return entry;
    }

    /// Notes that `ip` has answered, if it is in the table.
    ///
    /// @return its entry, or NONE
    int learn(int ip, long hardware, long nowNs) {
        int entry = find(ip);
        if (entry != NONE && !isStatic[entry]) {
            mac[entry] = hardware;
            tries[entry] = 0;
            nextRequestNs[entry] = nowNs + REFRESH_NS;
        }
        return entry;
    }

    /// Says whether a request should leave now, and counts it if so.
    boolean shouldRequest(int entry, long nowNs) {
        if (isStatic[entry] || nowNs < nextRequestNs[entry] || tries[entry] >= MAX_TRIES) {
            return false;
        }
        tries[entry]++;
        nextRequestNs[entry] = nowNs + REQUEST_INTERVAL_NS;
        return true;
    }

    /// Returns when [#shouldRequest] or [#hasFailed] will next change for an entry that is being asked for.
    long nextRequestNs(int entry) {
        return nextRequestNs[entry];
    }

    /// Says whether all requests have gone unanswered.
    boolean hasFailed(int entry, long nowNs) {
        return tries[entry] >= MAX_TRIES && nowNs >= nextRequestNs[entry];
    }

    /// Begins anew with an entry that had failed; its address is no longer known.
    void reset(int entry) {
        tries[entry] = 0;
        mac[entry] = 0;
        nextRequestNs[entry] = 0;
    }

    private static int home(int ip) {
        int mixed = ip * 0x9E37_79B9;
        return (mixed ^ mixed >>> 15) & MASK;
    }
}
