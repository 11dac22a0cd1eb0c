package io.homa.net;

import io.homa.memory.HotPath;

/// Limits the errors that this host reports, so that a flood of packets to nobody is not answered by another.
/// Engine
/// thread only.
@HotPath
final class ErrorLimit {
    /// Errors sent per second at most; a burst may use a tenth of it at once.
    private static final long ERRORS_PER_SECOND = 1_000;

    private static final long INTERVAL_NS = 1_000_000_000L / ERRORS_PER_SECOND;
    private static final long BURST_NS = 100_000_000L;

    /// When the next error may leave if the allowance were used evenly.
    private long nextNs;

    /// Says whether an error may leave now, and counts it if so.
    boolean allows(long nowNs) {
        if (nextNs - nowNs > BURST_NS) {
            return false;
        }
        nextNs = Math.max(nextNs, nowNs) + INTERVAL_NS;
        return true;
    }
}
