package io.homa.engine;

import io.homa.memory.HotPath;

/// How a message is cut into packets: full ones, with one more boundary exactly at the unscheduled limit, so that
/// no scheduled byte travels early (protocol reference 3.1). The cut is fixed for the life of a message,
/// retransmissions included.
///
/// @param maxPayload most message bytes in one packet
/// @param unscheduledBytes offset of the forced boundary
public record Segmentation(int maxPayload, int unscheduledBytes) {
    public Segmentation {
        if (maxPayload < 1 || unscheduledBytes < 1) {
            throw new IllegalArgumentException(
                    "maxPayload " + maxPayload + " and unscheduledBytes " + unscheduledBytes + " must be 1 or more");
        }
    }

    /// Returns the offset of the segment that holds byte `offset`.
    @HotPath
    public int segmentStart(int offset) {
        int base = offset < unscheduledBytes ? 0 : unscheduledBytes;
        return offset - (offset - base) % maxPayload;
    }

    /// Returns the payload length of the segment that starts at `start` in a message of `length` bytes.
    @HotPath
    public int segmentLength(int start, int length) {
        int limit = start < unscheduledBytes ? Math.min(unscheduledBytes, length) : length;
        return Math.min(maxPayload, limit - start);
    }

    /// Returns how many packets a message of `length` bytes takes.
    @HotPath
    public int segmentCount(int length) {
        if (length <= unscheduledBytes) {
            return (length + maxPayload - 1) / maxPayload;
        }
        return (unscheduledBytes + maxPayload - 1) / maxPayload
                + (length - unscheduledBytes + maxPayload - 1) / maxPayload;
    }
}
