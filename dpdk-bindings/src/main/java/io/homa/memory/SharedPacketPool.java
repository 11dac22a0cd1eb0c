package io.homa.memory;

/// The side of a packet pool that every thread may use: packets come and go in bulk, through an array of
/// addresses in off-heap memory.
public interface SharedPacketPool {
    /// Writes the addresses of `count` fresh packets to memory at `packets`; takes none and returns false if
    /// there are not enough.
    @HotPath
    boolean allocate(long packets, int count);

    /// Takes a reference of each of the `count` packets away whose addresses lie at `packets`. Each must have
    /// only one.
    @HotPath
    void release(long packets, int count);

    /// Returns about how many packets are free.
    @HotPath
    int available();
}
