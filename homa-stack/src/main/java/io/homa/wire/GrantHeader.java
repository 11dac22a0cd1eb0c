package io.homa.wire;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;

/// GRANT: the receiver of a message lets its sender go on (protocol reference 2.6).
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 28 | common header |
/// | 28 | 4 | offset: the bytes below may be sent |
/// | 32 | 1 | priority of the scheduled packets that follow |
/// | 33 | 1 | not in the newest format: nonzero asks for everything again |
///
/// Kernels of the newest branch send 33 bytes, older ones drop fewer than 34; 34 bytes with a zero at the end
/// suit all.
@HotPath
public final class GrantHeader {
    public static final int LENGTH = 33;
    public static final int WRITE_LENGTH = 34;
    public static final int OFFSET_OFFSET = 28;
    public static final int PRIORITY_OFFSET = 32;
    public static final int RESEND_ALL_OFFSET = 33;

    private GrantHeader() {}

    public static long offset(long header) {
        return Memory.getUnsignedInt(header + OFFSET_OFFSET);
    }

    public static int priority(long header) {
        return Memory.getByte(header + PRIORITY_OFFSET);
    }

    /// Says whether a GRANT of `length` bytes asks for everything again, as only older kernels do.
    public static boolean asksForAll(long header, int length) {
        return length > RESEND_ALL_OFFSET && Memory.getByte(header + RESEND_ALL_OFFSET) != 0;
    }

    /// Writes bytes 28 to 33.
    public static void write(long header, int offset, int priority) {
        Memory.putInt(header + OFFSET_OFFSET, offset);
        Memory.putShort(header + PRIORITY_OFFSET, priority << 8);
    }
}
