package io.homa.net;

import java.util.Arrays;

/// Hardware addresses of hosts on the link, by IP address (IPv4 ones v4-mapped), and when to ask for them again.
/// Bounded; engine thread only.
///
/// An entry is *asked for* until an answer comes, then *known*; a known one is asked for again after
/// [#REFRESH_NS] of age, and meanwhile used. After [#MAX_TRIES] requests without an answer an unknown one has
/// failed, and a known one has expired: it is forgotten and asked for anew. In a full table an entry that has not
/// been confirmed for that long gives its place to a new one. Static entries never change.
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

    private final long[] addressHigh = new long[CAPACITY];
    private final long[] addressLow = new long[CAPACITY];
    private final long[] mac = new long[CAPACITY];
    private final boolean[] isStatic = new boolean[CAPACITY];
    private final int[] tries = new int[CAPACITY];
    private final long[] nextRequestNs = new long[CAPACITY];
    private final int[] index = new int[2 * CAPACITY];
    private int count;
    private int hand;

    Neighbours(NetConfig config) {
        Arrays.fill(index, NONE);
        // What this host sends to itself comes back on a loopback device.
        addStatic(0, IpAddress.mapped(config.address()), config.mac());
        config.staticNeighbours().forEach((ip, hardware) -> addStatic(0, IpAddress.mapped(ip), hardware));
        Ipv6Config ipv6 = config.ipv6();
        if (ipv6 != null) {
            addStatic(ipv6.address().high(), ipv6.address().low(), config.mac());
            ipv6.neighbours().forEach((ip, hardware) -> addStatic(ip.high(), ip.low(), hardware));
        }
    }

    private void addStatic(long high, long low, long hardware) {
        int entry = findOrAdd(high, low, 0);
        mac[entry] = hardware;
        isStatic[entry] = true;
    }

    int count() {
        return count;
    }

    /// Says whether an entry is (still) that of an address.
    boolean isOf(int entry, long high, long low) {
        return addressLow[entry] == low && addressHigh[entry] == high;
    }

    long addressHigh(int entry) {
        return addressHigh[entry];
    }

    long addressLow(int entry) {
        return addressLow[entry];
    }

    boolean isStatic(int entry) {
        return isStatic[entry];
    }

    /// Returns the hardware address, or 0 while it is not known.
    long mac(int entry) {
        return mac[entry];
    }

    /// Returns the entry of an address, or NONE.
    int find(long high, long low) {
        for (int at = home(high, low); index[at] != NONE; at = (at + 1) & MASK) {
            if (isOf(index[at], high, low)) {
                return index[at];
            }
        }
        return NONE;
    }

    /// Returns the entry of an address, new if need be; NONE when the table is full of entries in use. Whoever
    /// keeps its number must ask [#isOf] before using it again.
    int findOrAdd(long high, long low, long nowNs) {
        int found = find(high, low);
        if (found != NONE) {
            return found;
        }
        int entry = count < CAPACITY ? count++ : evict(nowNs);
        if (entry == NONE) {
            return NONE;
        }
        addressHigh[entry] = high;
        addressLow[entry] = low;
        reset(entry);
        insert(entry);
        return entry;
    }

    private void insert(int entry) {
        int at = home(addressHigh[entry], addressLow[entry]);
        while (index[at] != NONE) {
            at = (at + 1) & MASK;
        }
        index[at] = entry;
    }

    /// Frees an entry that nobody has confirmed lately and that no packet waits for. Rare, so the index is simply
    /// built anew.
    private int evict(long nowNs) {
        for (int i = 0; i < CAPACITY; i++) {
            int entry = hand;
            hand = (hand + 1) % CAPACITY;
            boolean isAskedFor = mac[entry] == 0 && tries[entry] > 0;
            if (!isStatic[entry] && !isAskedFor && nextRequestNs[entry] <= nowNs) {
                Arrays.fill(index, NONE);
                for (int other = 0; other < CAPACITY; other++) {
                    if (other != entry) {
                        insert(other);
                    }
                }
                return entry;
            }
        }
        return NONE;
    }

    /// Notes that an address has answered, if it is in the table.
    ///
    /// @return its entry, or NONE
    int learn(long high, long low, long hardware, long nowNs) {
        int entry = find(high, low);
        if (entry != NONE && !isStatic[entry]) {
            mac[entry] = hardware;
            tries[entry] = 0;
            nextRequestNs[entry] = nowNs + REFRESH_NS;
        }
        return entry;
    }

    /// Forgets a known address that has not answered any request for its confirmation; says whether it did.
    boolean expire(int entry, long nowNs) {
        if (mac[entry] == 0 || isStatic[entry] || !hasFailed(entry, nowNs)) {
            return false;
        }
        reset(entry);
        return true;
    }

    /// Has every known address confirmed before long: the link was down, others may be there now.
    void doubtAll(long nowNs) {
        for (int entry = 0; entry < count; entry++) {
            if (!isStatic[entry] && mac[entry] != 0) {
                nextRequestNs[entry] = Math.min(nextRequestNs[entry], nowNs);
            }
        }
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

    private static int home(long high, long low) {
        long mixed = (low ^ high * 31) * 0x9E37_79B9_7F4A_7C15L;
        return (int) (mixed >>> 40) & MASK;
    }
}
