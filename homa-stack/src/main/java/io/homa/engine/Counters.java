package io.homa.engine;

import io.homa.memory.CounterBlock;
import io.homa.memory.HotPath;

/// Counts of one engine: one 64-bit word per [Counter] in enum order, see [CounterBlock].
@HotPath
public final class Counters {
    /// Bytes needed for all counters.
    public static final int LENGTH = Counter.values().length * Long.BYTES;

    private final CounterBlock block;

    /// Uses `LENGTH` zeroed bytes at `address`, which the caller owns and keeps alive.
    public Counters(long address) {
        block = new CounterBlock(address);
    }

    public void add(Counter counter, long amount) {
        block.add(counter.ordinal(), amount);
    }

    public void increment(Counter counter) {
        block.add(counter.ordinal(), 1);
    }

    public long get(Counter counter) {
        return block.get(counter.ordinal());
    }
}
