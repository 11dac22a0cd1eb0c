package io.homa.engine;

import io.homa.memory.HotPath;

/// What was measured of the way to one host and back: round trip, time to answer a request, and how far packets
/// overtake each other. Times in nanoseconds. Engine thread only.
///
/// The reorder window starts at a quarter of the round trip, as in RACK (RFC 8985), and is learned from then on: a
/// gap that closes by itself shows how late a packet can be, and every loss lets the window shrink a little.
@HotPath
final class PathEstimate {
    /// Taken for the round trip until one was measured: that of a busy datacenter.
    static final long INITIAL_RTT_NS = 100_000;

    private static final long RETRY_FLOOR_NS = 20_000;
    private static final long REORDER_FLOOR_NS = 5_000;

    /// Requests that must have been answered before their times are taken for a rule.
    private static final int MIN_RESPONSES = 8;

    private static final long RESPONSE_FLOOR_NS = 100_000;

    private final SmoothedTime rtt = new SmoothedTime();
    private final SmoothedTime response = new SmoothedTime();
    private long shortestNs;
    private long reorderNs;

    void reset() {
        rtt.reset();
        response.reset();
        shortestNs = 0;
        reorderNs = 0;
    }

    /// Returns the shortest round trip seen, which grows slowly so that a lasting change shows; 0 if none was.
    long shortestNs() {
        return shortestNs;
    }

    /// Takes a round trip into account that holds nothing but the network and the peer's engine.
    void measured(long sampleNs) {
        if (sampleNs > 0) {
            rtt.add(sampleNs);
            shorten(sampleNs);
        }
    }

    /// Takes the time from the last byte of a request to the first of its response into account; the application
    /// took its part of it.
    void answered(long sampleNs) {
        if (sampleNs > 0) {
            response.add(sampleNs);
            shorten(sampleNs);
        }
    }

    private void shorten(long sampleNs) {
        shortestNs = shortestNs == 0 || sampleNs < shortestNs ? sampleNs : shortestNs + ((sampleNs - shortestNs) >>> 6);
    }

    /// Returns the time in which what was asked for should have come.
    long retryNs() {
        long bound = rtt.samples() == 0 ? 3 * INITIAL_RTT_NS : rtt.boundNs();
        return Math.max(bound, RETRY_FLOOR_NS);
    }

    /// Returns the time in which nearly every response begins; 0 if too few have been seen.
    long responseNs() {
        return response.samples() < MIN_RESPONSES ? 0 : Math.max(response.boundNs(), RESPONSE_FLOOR_NS);
    }

    /// Returns how long a gap may stay open before its packet counts as lost.
    long reorderWindowNs() {
        return Math.max(reorderNs, baseWindowNs());
    }

    private long baseWindowNs() {
        return Math.max((shortestNs == 0 ? INITIAL_RTT_NS : shortestNs) / 4, REORDER_FLOOR_NS);
    }

    /// A packet came after all, `lateNs` after those behind it.
    void reordered(long lateNs) {
        reorderNs = Math.max(reorderNs, lateNs + lateNs / 4);
    }

    /// A packet was lost indeed: the window may shrink.
    void lost() {
        reorderNs -= reorderNs >> 5;
    }
}
