package io.homa.engine;

import io.homa.memory.HotPath;

/// A model of the link that keeps the device's queue short, so that the order of messages is decided here and not
/// there (protocol reference 3.4).
///
/// The link is taken to be busy until everything handed out has left at 99 % of its speed. A packet may go while
/// that is less than 5 µs ahead. Engine thread only.
@HotPath
final class Pacer {
    /// Work in the device's queue that is still allowed when a packet goes.
    static final long MAX_BACKLOG_NS = 5_000;

    /// Ethernet around an IP packet: header, one tag, check sequence, preamble and gap.
    private static final int ETHERNET_OVERHEAD_BYTES = 42;

    /// IPv4 header; the four bytes that IPv6 adds per packet do not matter to the model.
    private static final int IP_HEADER_BYTES = 20;

    /// Picoseconds per byte, at 99 % of the link's speed; 0 turns pacing off.
    private final long psPerByte;
    private long linkIdlePs;

    Pacer(long linkBitsPerSecond) {
        psPerByte = linkBitsPerSecond == 0 ? 0 : Math.max(1, 8_000_000_000_000L * 100 / 99 / linkBitsPerSecond);
    }

    boolean mayTransmit(long nowNs) {
        return psPerByte == 0 || linkIdlePs <= (nowNs + MAX_BACKLOG_NS) * 1000;
    }

    /// Returns when the next packet may go, if not now.
    long nextTransmitNs() {
        return psPerByte == 0 ? 0 : linkIdlePs / 1000 - MAX_BACKLOG_NS + 1;
    }

    /// Takes a packet of `homaBytes` (Homa header and payload) into account.
    void charge(int homaBytes, long nowNs) {
        if (psPerByte != 0) {
            long bytes = homaBytes + (long) (IP_HEADER_BYTES + ETHERNET_OVERHEAD_BYTES);
            linkIdlePs = Math.max(linkIdlePs, nowNs * 1000) + bytes * psPerByte;
        }
    }
}
