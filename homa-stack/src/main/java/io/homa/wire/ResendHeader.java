package io.homa.wire;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;

/// RESEND: the receiver of a message misses bytes (protocol reference 2.7).
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 28 | common header |
/// | 28 | 4 | offset of the first missing byte |
/// | 32 | 4 | number of bytes; −1: nothing came, everything sent so far is wanted |
/// | 36 | 1 | priority to send them with |
@HotPath
public final class ResendHeader {
    public static final int LENGTH = 37;
    public static final int OFFSET_OFFSET = 28;
    public static final int LENGTH_OFFSET = 32;
    public static final int PRIORITY_OFFSET = 36;

    /// Length that stands for everything sent so far.
    public static final int EVERYTHING = -1;

    private ResendHeader() {}

    public static long offset(long header) {
        return Memory.getUnsignedInt(header + OFFSET_OFFSET);
    }

    public static int length(long header) {
        return Memory.getInt(header + LENGTH_OFFSET);
    }

    public static int priority(long header) {
        return Memory.getByte(header + PRIORITY_OFFSET);
    }

    /// Writes bytes 28 to 36.
    public static void write(long header, int offset, int length, int priority) {
        Memory.putInt(header + OFFSET_OFFSET, offset);
        Memory.putInt(header + LENGTH_OFFSET, length);
        Memory.putByte(header + PRIORITY_OFFSET, priority);
    }
}
