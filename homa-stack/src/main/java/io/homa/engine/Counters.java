package io.homa.engine;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;

/// Counts of one engine in off-heap memory, one 64-bit word per [Counter] in enum order.
///
/// The engine thread alone writes, with aligned 8-byte stores; any thread or process that maps the memory reads.
public final class Counters {
    /// Bytes needed for all counters.
    public static final int LENGTH = Counter.values().length * Long.BYTES;

    private final long address;

    /// Uses `LENGTH` zeroed bytes at `address`, which the caller owns and keeps alive.
    public Counters(long address) {
        this.address = address;
    }

    @HotPath
    public void add(Counter counter, long amount) {
        long at = address + (long) counter.ordinal() * Long.BYTES;
        Memory.putLongNative(at, Memory.getLongNative(at) + amount);
    }

    @HotPath
    public void increment(Counter counter) {
        add(counter, 1);
    }

    public long get(Counter counter) {
        return Memory.getLongNative(address + (long) counter.ordinal() * Long.BYTES);
    }
}
