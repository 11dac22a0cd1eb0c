package io.homa.wire;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;

/// CUTOFFS.
@HotPath
public final class CutoffsHeader {
    public static final int LENGTH = 62;

    private CutoffsHeader() {}

    public static long cutoff(long header, int priority) {
        return Memory.getUnsignedInt(header + 28 + 4L * priority);
    }

    public static void cutoff(long header, int priority, int length) {
        Memory.putInt(header + 28 + 4L * priority, length);
    }

    public static int cutoffVersion(long header) {
        return Memory.getShort(header + 60);
    }

    public static void cutoffVersion(long header, int version) {
        Memory.putShort(header + 60, version);
    }
}
