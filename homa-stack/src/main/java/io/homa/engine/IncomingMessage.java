package io.homa.engine;

import io.homa.memory.HotPath;
import io.homa.memory.Packet;
import io.homa.memory.PacketPool;

/// A message that this host receives: its packets in offset order, its gaps, and how far it has been granted
/// (protocol reference 4.1, 4.3).
///
/// Every byte is kept once. A packet that overlaps what is already there contributes the first run of bytes that
/// is new, which the kernel would discard; nothing of the rest is kept. Part of an [Rpc]; engine thread only.
@HotPath
final class IncomingMessage {
    private long firstPacket;
    private long lastPacket;
    private int length;
    private int receivedBytes;
    private int receivedEnd;
    private int firstGap = GapPool.NONE;
    private int grantedOffset;
    private int unscheduledBytes;
    private boolean hasNewGap;
    private int filledGap = GapPool.NONE;

    /// When the first packet came; older messages win ties and the oldest gets a share of the grants.
    long birth;
    /// Whether the sender needs grants at all.
    boolean isGrantable;
    /// Whether it is in the grant scheduler's active set, or waits for a place there.
    boolean isActive;

    boolean isWaiting;
    /// What the message counts for in the total of granted, unreceived bytes.
    int countedIncoming;
    /// Whether the grant scheduler has it on the list of messages that changed in this burst.
    boolean isMarked;
    /// Priority of the last GRANT, −1 before the first.
    int grantPriority;
    /// When the first GRANT left; 0 before it and once data of it came.
    long grantSentNs;
    /// First byte that needed that GRANT.
    int firstGrantFrom;

    /// Starts a message of which the sender will send `unscheduled` bytes by itself.
    void begin(int messageLength, int unscheduled, long birthOrder) {
        length = messageLength;
        grantedOffset = Math.min(unscheduled, messageLength);
        receivedBytes = 0;
        receivedEnd = 0;
        firstPacket = 0;
        lastPacket = 0;
        firstGap = GapPool.NONE;
        birth = birthOrder;
        isGrantable = unscheduled < messageLength;
        isActive = false;
        isWaiting = false;
        countedIncoming = 0;
        isMarked = false;
        grantPriority = -1;
        grantSentNs = 0;
        firstGrantFrom = 0;
        unscheduledBytes = grantedOffset;
        hasNewGap = false;
        filledGap = GapPool.NONE;
    }

    /// Gives back packets and gaps.
    void end(PacketPool pool, GapPool gaps) {
        releaseAll(pool, gaps);
        length = 0;
        receivedBytes = 0;
        receivedEnd = 0;
    }

    private void releaseAll(PacketPool pool, GapPool gaps) {
        OutgoingMessage.releaseChain(pool, takePackets());
        int gap = firstGap;
        while (gap != GapPool.NONE) {
            int following = gaps.next(gap);
            gaps.free(gap);
            gap = following;
        }
        firstGap = GapPool.NONE;
        filledGap = GapPool.NONE;
    }

    /// Gives back everything received, as if it had been lost. What has been granted stays granted.
    void discard(PacketPool pool, GapPool gaps, long nowNs) {
        releaseAll(pool, gaps);
        receivedBytes = 0;
        firstGap = gaps.allocate(0, receivedEnd, 0, nowNs);
        if (firstGap == GapPool.NONE) {
            receivedEnd = 0;
        }
    }

    /// Hands the chain of packets over; the message keeps its counts.
    long takePackets() {
        long first = firstPacket;
        firstPacket = 0;
        lastPacket = 0;
        return first;
    }

    int length() {
        return length;
    }

    int receivedBytes() {
        return receivedBytes;
    }

    int remainingBytes() {
        return length - receivedBytes;
    }

    /// Returns the end of the highest byte received.
    int receivedEnd() {
        return receivedEnd;
    }

    boolean isComplete() {
        return receivedBytes == length;
    }

    int grantedOffset() {
        return grantedOffset;
    }

    void grantedOffset(int offset) {
        assert offset >= grantedOffset && offset <= length;
        grantedOffset = offset;
    }

    /// Returns the bytes that the sender sends without a grant.
    int unscheduledBytes() {
        return unscheduledBytes;
    }

    /// Says whether the packet added last left a gap before it; once.
    boolean takeNewGap() {
        boolean isNew = hasNewGap;
        hasNewGap = false;
        return isNew;
    }

    /// Returns the gap that the packet added last went into, or [GapPool#NONE]; once. It may be free again, but its
    /// times are still there.
    int takeFilledGap() {
        int gap = filledGap;
        filledGap = GapPool.NONE;
        return gap;
    }

    /// Returns the first gap in offset order, or [GapPool#NONE].
    int firstGap() {
        return firstGap;
    }

    /// Adds the payload of `packet`, whose position is set and lies within the message. On success the message
    /// owns the packet.
    ///
    /// @return the number of new bytes; 0 if there were none, or no gap was free to describe what is missing: the
    ///     caller still owns the packet
    int add(long packet, GapPool gaps, long nowNs) {
        int start = Packet.messageOffset(packet);
        int end = start + Packet.payloadLength(packet);
        if (start >= receivedEnd) {
            return append(packet, start, end, gaps, nowNs);
        }
        int previous = GapPool.NONE;
        for (int gap = firstGap; gap != GapPool.NONE; gap = gaps.next(gap)) {
            if (gaps.end(gap) > start) {
                if (gaps.start(gap) >= end) {
                    return 0;
                }
                return fill(packet, gap, previous, gaps);
            }
            previous = gap;
        }
        if (end <= receivedEnd) {
            return 0;
        }
        trim(packet, receivedEnd, end);
        return append(packet, receivedEnd, end, gaps, nowNs);
    }

    private int append(long packet, int start, int end, GapPool gaps, long nowNs) {
        if (start == end) {
            return 0;
        }
        if (start > receivedEnd && !leaveGap(start, gaps, nowNs)) {
            return 0;
        }
        Packet.link(packet, 0);
        if (lastPacket == 0) {
            firstPacket = packet;
        } else {
            Packet.link(lastPacket, packet);
        }
        lastPacket = packet;
        receivedEnd = end;
        receivedBytes += end - start;
        return end - start;
    }

    /// Notes that the bytes from the highest one received up to `start` are missing; false if no gap is free.
    private boolean leaveGap(int start, GapPool gaps, long nowNs) {
        int last = firstGap;
        while (last != GapPool.NONE && gaps.next(last) != GapPool.NONE) {
            last = gaps.next(last);
        }
        if (last != GapPool.NONE && gaps.end(last) == receivedEnd) {
            // After everything was given up no packet parts the old gap from the new one.
            gaps.end(last, start);
            return true;
        }
        int gap = gaps.allocate(receivedEnd, start, lastPacket, nowNs);
        if (gap == GapPool.NONE) {
            return false;
        }
        if (last == GapPool.NONE) {
            firstGap = gap;
        } else {
            gaps.next(last, gap);
        }
        hasNewGap = true;
        return true;
    }

    /// Puts the part of `packet` that lies in `gap` there; the gap shrinks, splits or disappears.
    private int fill(long packet, int gap, int previousGap, GapPool gaps) {
        int gapStart = gaps.start(gap);
        int gapEnd = gaps.end(gap);
        int start = Math.max(Packet.messageOffset(packet), gapStart);
        int end = Math.min(Packet.messageOffset(packet) + Packet.payloadLength(packet), gapEnd);
        if (start == end) {
            return 0;
        }
        if (start > gapStart && end < gapEnd) {
            int rest = gaps.allocate(end, gapEnd, packet, gaps.sinceNs(gap));
            if (rest == GapPool.NONE) {
                return 0;
            }
            gaps.inheritRequests(rest, gap);
            gaps.next(rest, gaps.next(gap));
            gaps.next(gap, rest);
            gaps.end(gap, start);
        } else if (start > gapStart) {
            gaps.end(gap, start);
        } else if (end < gapEnd) {
            gaps.start(gap, end);
        }
        filledGap = gap;
        trim(packet, start, end);
        insertAfter(gaps.packetBefore(gap), packet);
        if (start == gapStart) {
            gaps.packetBefore(gap, packet);
            if (end == gapEnd) {
                removeGap(gap, previousGap, gaps);
            }
        }
        receivedBytes += end - start;
        return end - start;
    }

    private void insertAfter(long before, long packet) {
        if (before == 0) {
            Packet.link(packet, firstPacket);
            firstPacket = packet;
        } else {
            Packet.link(packet, Packet.link(before));
            Packet.link(before, packet);
        }
        if (lastPacket == before) {
            // Only after everything was given up: else the packet that set the end is behind every gap.
            lastPacket = packet;
        }
    }

    private void removeGap(int gap, int previousGap, GapPool gaps) {
        if (previousGap == GapPool.NONE) {
            firstGap = gaps.next(gap);
        } else {
            gaps.next(previousGap, gaps.next(gap));
        }
        gaps.free(gap);
    }

    private static void trim(long packet, int start, int end) {
        int skipped = start - Packet.messageOffset(packet);
        Packet.payload(packet, Packet.payloadStart(packet) + skipped, end - start);
        Packet.messageOffset(packet, start);
    }
}
