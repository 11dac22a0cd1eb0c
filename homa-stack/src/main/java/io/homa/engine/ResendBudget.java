package io.homa.engine;

import io.homa.memory.HotPath;

/// How many ranges may be asked of one host in a round trip. Answers raise it by one, questions that had to be
/// repeated halve it: a host that is overloaded, or a network that is, is not helped by more questions. Engine
/// thread only.
@HotPath
final class ResendBudget {
    private static final int INITIAL = 32;
    private static final int LEAST = 2;
    private static final int MOST = 128;

    private int limit = INITIAL;
    private int used;
    private long sinceNs;

    void reset() {
        limit = INITIAL;
        used = 0;
        sinceNs = Long.MIN_VALUE / 2;
    }

    /// Says whether another question may leave now, and counts it if so.
    ///
    /// @param roundNs length of a round trip
    boolean take(long roundNs, long nowNs) {
        if (nowNs - sinceNs >= roundNs) {
            sinceNs = nowNs;
            used = 0;
        }
        if (used >= limit) {
            return false;
        }
        used++;
        return true;
    }

    void answered() {
        limit = Math.min(limit + 1, MOST);
    }

    void unanswered() {
        limit = Math.max(limit / 2, LEAST);
    }
}
