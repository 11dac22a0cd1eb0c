package io.homa.net;

import io.homa.memory.HotPath;

/// Moves bursts of frames from and to one queue pair. Belongs to the engine thread.
///
/// A received packet belongs to the caller; its frame begins with the Ethernet header. A packet to transmit is
/// put into the burst array and belongs to the driver (one reference) once [#transmit] has counted it.
@HotPath
public interface PortDriver {
    /// Most packets of one burst.
    int BURST = 32;

    /// Receives a burst and reads the clock; returns the number of packets, at most [#BURST].
    int receive();

    /// Returns packet `index` of the last burst.
    long packet(int index);

    /// Returns the time as of the last [#receive], in nanoseconds from an arbitrary start; never decreases and is
    /// never 0.
    long nowNs();

    /// Makes sure that a packet to transmit is not shared where the device needs it for itself. Takes the
    /// reference of `packet` and returns the packet to put, or 0 if the frame is lost. Most devices take packets
    /// as they are.
    default long detach(long packet) {
        return packet;
    }

    /// Puts a packet into the transmit array at `index`, 0…BURST−1.
    void put(int index, long packet);

    /// Hands packets `from … from + count − 1` of the transmit array over; returns how many were taken, in order.
    int transmit(int from, int count);

    /// Says whether the other side is there. May make a system call; ask rarely.
    default boolean isLinkUp() {
        return true;
    }
}
