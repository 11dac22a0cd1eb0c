package io.homa.net;

import io.homa.memory.HotPath;

/// Keeps the smallest MTU that routers have reported, as a counter. Nothing is cut anew for it: segments are sent again
/// as they were.
@HotPath
final class PathMtu {
    /// Smallest MTU of any IPv4 link (RFC 791); reports below it are nonsense.
    private static final int LEAST = 68;

    private PathMtu() {}

    static void note(NetCounters counters, int mtu) {
        counters.increment(NetCounter.PACKETS_TOO_BIG);
        long smallest = counters.get(NetCounter.SMALLEST_PATH_MTU);
        if (mtu >= LEAST && mtu <= 65_535 && (smallest == 0 || mtu < smallest)) {
            counters.add(NetCounter.SMALLEST_PATH_MTU, mtu - smallest);
        }
    }
}
