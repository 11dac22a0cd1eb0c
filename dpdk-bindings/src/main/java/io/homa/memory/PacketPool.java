package io.homa.memory;

/// A bounded pool of packets, each with one contiguous buffer.
///
/// A fresh packet has one reference, an empty frame that starts [Packet#HEADROOM] bytes into its buffer, and
/// undefined private fields. Whoever takes the last reference away gives the packet back. Used by one thread,
/// unless an implementation says otherwise.
public interface PacketPool {
    /// Takes a packet out of the pool; returns 0 when it is exhausted.
    @HotPath
    long allocate();

    /// Adds a reference to `packet`.
    @HotPath
    void retain(long packet);

    /// Takes a reference away from `packet` and returns it to its pool with the last one. The caller must not touch
    /// it afterwards.
    @HotPath
    void release(long packet);

    /// Returns the number of packets that are free now. Exact for a pool of one thread, else a snapshot.
    int available();

    /// Returns the number of packets that the pool was made with.
    int capacity();

    /// Returns the bytes of a packet's buffer behind the headroom.
    int dataRoom();
}
