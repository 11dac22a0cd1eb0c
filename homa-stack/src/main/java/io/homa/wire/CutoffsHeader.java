package io.homa.wire;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;

/// CUTOFFS: the receiver of messages tells a sender which message lengths may use which priority (protocol
/// reference 2.9).
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 28 | common header |
/// | 28 | 8 × 4 | longest message that may use priority 0 … 7 |
/// | 60 | 2 | version of the table |
@HotPath
public final class CutoffsHeader {
    public static final int LENGTH = 62;
    public static final int CUTOFFS_OFFSET = 28;
    public static final int VERSION_OFFSET = 60;

    private CutoffsHeader() {}

    public static long cutoff(long header, int priority) {
        return Memory.getUnsignedInt(header + CUTOFFS_OFFSET + 4L * priority);
    }

    public static void cutoff(long header, int priority, int length) {
        Memory.putInt(header + CUTOFFS_OFFSET + 4L * priority, length);
    }

    public static int cutoffVersion(long header) {
        return Memory.getShort(header + VERSION_OFFSET);
    }

    public static void cutoffVersion(long header, int version) {
        Memory.putShort(header + VERSION_OFFSET, version);
    }
}
