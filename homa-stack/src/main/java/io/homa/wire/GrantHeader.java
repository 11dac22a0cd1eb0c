package io.homa.wire;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;

/// GRANT.
@HotPath
public final class GrantHeader {
    public static final int LENGTH = 33;
    public static final int WRITE_LENGTH = 34;

    private GrantHeader() {}

    public static long offset(long header) {
        return Memory.getUnsignedInt(header + 28);
    }

    public static int priority(long header) {
        return Memory.getByte(header + 32);
    }

    public static void write(long header, int offset, int priority) {
        Memory.putInt(header + 28, offset);
        Memory.putShort(header + 32, priority << 8);
    }
}
