package io.homa.net;

import io.homa.memory.CounterBlock;
import io.homa.memory.HotPath;

/// Counts of one network layer: one 64-bit word per [NetCounter] in enum order, see [CounterBlock].
@HotPath
public final class NetCounters {
    /// Bytes needed for all counters.
    public static final int LENGTH = NetCounter.values().length * Long.BYTES;

    private final CounterBlock block;

    /// Uses `LENGTH` zeroed bytes at `address`, which the caller owns and keeps alive.
    public NetCounters(long address) {
        block = new CounterBlock(address);
    }

    public void increment(NetCounter counter) {
        block.add(counter.ordinal(), 1);
    }

    public void add(NetCounter counter, long amount) {
        block.add(counter.ordinal(), amount);
    }

    public long get(NetCounter counter) {
        return block.get(counter.ordinal());
    }
}
