package io.homa.memory;

/// A row of 64-bit counters in off-heap memory.
///
/// One thread writes, with aligned 8-byte stores; any thread or process that maps the memory reads, and sees every
/// counter either before or after an increase.
@HotPath
public final class CounterBlock {
    private final long address;

    /// Uses zeroed memory at `address`, aligned to 8 bytes, which the caller owns and keeps alive.
    public CounterBlock(long address) {
        this.address = address;
    }

    public void add(int index, long amount) {
        long at = address + (long) index * Long.BYTES;
        Memory.putLongNative(at, Memory.getLongNative(at) + amount);
    }

    public long get(int index) {
        return Memory.getLongNative(address + (long) index * Long.BYTES);
    }
}
