package io.homa.wire;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;

/// RESEND.
@HotPath
public final class ResendHeader {
    public static final int LENGTH = 37;
    public static final int EVERYTHING = -1;

    private ResendHeader() {}

    public static long offset(long header) {
        return Memory.getUnsignedInt(header + 28);
    }

    public static int length(long header) {
        return Memory.getInt(header + 32);
    }

    public static int priority(long header) {
        return Memory.getByte(header + 36);
    }

    public static void write(long header, int offset, int length, int priority) {
        Memory.putInt(header + 28, offset);
        Memory.putInt(header + 32, length);
        Memory.putByte(header + 36, priority);
    }
}
