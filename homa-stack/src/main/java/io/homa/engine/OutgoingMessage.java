package io.homa.engine;

import io.homa.memory.HotPath;
import io.homa.memory.Packet;
import io.homa.memory.PacketPool;

/// A message that this host sends: its packets, kept until the RPC ends, and how far it may be and has been sent
/// (protocol reference 3.1, 3.2).
///
/// All offsets are in message bytes. Part of an [Rpc]; engine thread only.
@HotPath
final class OutgoingMessage {
    private long firstPacket;
    private long nextPacket;
    private long cursor;
    private int length;
    private int unscheduledBytes;
    private int grantedOffset;
    private int sentOffset;
    private int scheduledPriority;
    private long firstSentNs;

    /// Takes over the chain that starts at `first`; the first `unscheduled` bytes may be sent at once.
    void begin(long first, int messageLength, int unscheduled) {
        firstPacket = first;
        nextPacket = first;
        cursor = first;
        length = messageLength;
        unscheduledBytes = Math.min(unscheduled, messageLength);
        grantedOffset = unscheduledBytes;
        sentOffset = 0;
        scheduledPriority = 0;
        firstSentNs = 0;
    }

    /// Releases every packet.
    void end(PacketPool pool) {
        releaseChain(pool, firstPacket);
        firstPacket = 0;
        nextPacket = 0;
        cursor = 0;
        length = 0;
    }

    static void releaseChain(PacketPool pool, long first) {
        long packet = first;
        while (packet != 0) {
            long following = Packet.link(packet);
            pool.release(packet);
            packet = following;
        }
    }

    int length() {
        return length;
    }

    int unscheduledBytes() {
        return unscheduledBytes;
    }

    /// Returns the end of what may be sent; the packet that holds the byte before it may go beyond.
    int grantedOffset() {
        return grantedOffset;
    }

    /// Returns the offset of the first byte that has not been sent yet.
    int sentOffset() {
        return sentOffset;
    }

    int remainingBytes() {
        return length - sentOffset;
    }

    boolean isSent() {
        return sentOffset == length;
    }

    /// Says whether the next packet may go: its first byte must lie below the granted offset.
    boolean maySend() {
        return nextPacket != 0 && sentOffset < grantedOffset;
    }

    /// Raises the granted offset to `offset`, clipped to the message; a lower offset changes nothing.
    ///
    /// @return whether it rose
    boolean grant(int offset) {
        int clipped = Math.min(offset, length);
        if (clipped <= grantedOffset) {
            return false;
        }
        grantedOffset = clipped;
        return true;
    }

    int scheduledPriority() {
        return scheduledPriority;
    }

    void scheduledPriority(int priority) {
        scheduledPriority = priority;
    }

    /// Returns when the first packet left; 0 before, and once the first GRANT has answered it.
    long firstSentNs() {
        return firstSentNs;
    }

    void firstSentNs(long timeNs) {
        firstSentNs = timeNs;
    }

    /// Returns the packet to send next. Only if [#maySend].
    long nextPacket() {
        return nextPacket;
    }

    /// Notes that the packet given by [#nextPacket] is leaving.
    void advance() {
        sentOffset += Packet.payloadLength(nextPacket);
        nextPacket = Packet.link(nextPacket);
    }

    /// Returns the packet that holds byte `offset`, which must have been sent. Cheap for rising offsets.
    long packetAt(int offset) {
        if (cursor == 0 || Packet.messageOffset(cursor) > offset) {
            cursor = firstPacket;
        }
        while (Packet.messageOffset(cursor) + Packet.payloadLength(cursor) <= offset) {
            cursor = Packet.link(cursor);
        }
        return cursor;
    }
}
