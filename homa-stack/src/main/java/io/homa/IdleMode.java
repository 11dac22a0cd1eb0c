package io.homa;

import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

/// What a polling thread does when there is nothing to do.
public enum IdleMode {
    /// Polls on: lowest latency, a whole core. The default.
    SPIN,
    /// Lets others run between polls: for shared cores.
    YIELD,
    /// Sleeps for up to a millisecond after a while without work: for idle servers. Adds up to that much latency.
    BACKOFF;

    IdleStrategy strategy() {
        return switch (this) {
            case SPIN -> BusySpinIdleStrategy.INSTANCE;
            case YIELD -> YieldingIdleStrategy.INSTANCE;
            case BACKOFF -> new BackoffIdleStrategy(100, 10, 1_000, 1_000_000);
        };
    }
}
