package io.homa.bench.load;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;
import io.homa.memory.MemoryRegions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The bytes of messages in benchmarks: every one is written by the sender and compared by the receiver, each with one
/// pass over memory, as an application that uses the message would do at least.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 4 | slot of the request at the client |
/// | 4 | 4 | length that the response shall have; 0 in responses |
/// | 8 | | a pattern that depends on the offset |
///
/// Stateless, any thread.
@HotPath
public final class Contents {
    /// Bytes of slot and length; the shortest message.
    public static final int HEADER_BYTES = 8;

    /// The pattern repeats after so many bytes, which is no multiple of a packet's.
    private static final int PERIOD = 8_192;

    /// Longest piece that is copied or compared at once: with it, the pattern stays in the first-level cache.
    private static final int PIECE = 9_216;

    /// For the life of the process.
    private static final MemorySegment PATTERN = pattern();

    private static final long PATTERN_ADDRESS = PATTERN.address();
    private static final byte[] ARRAY = PATTERN.toArray(ValueLayout.JAVA_BYTE);

    private Contents() {}

    private static MemorySegment pattern() {
        MemorySegment pattern = Arena.global().allocate(PERIOD + PIECE, 64);
        for (int i = 0; i < PERIOD + PIECE; i++) {
            int at = i & PERIOD - 1;
            pattern.set(ValueLayout.JAVA_BYTE, i, (byte) (at * 31 + (at >>> 8) * 17));
        }
        MemoryRegions.add(pattern.address(), pattern.byteSize());
        return pattern;
    }

    /// Writes the first [#HEADER_BYTES] of a message.
    public static void writeHeader(long address, int slot, int responseBytes) {
        Memory.putInt(address, slot);
        Memory.putInt(address + 4, responseBytes);
    }

    /// Returns the slot of the message at `address`.
    public static int slot(long address) {
        return Memory.getInt(address);
    }

    /// Returns the length that a response to the request at `address` shall have.
    public static int responseBytes(long address) {
        return Memory.getInt(address + 4);
    }

    /// Writes `length` bytes of a message, those from `offset` on, to `address`; those of the header are left alone.
    public static void write(long address, int offset, int length) {
        int done = Math.max(0, HEADER_BYTES - offset);
        while (done < length) {
            int piece = Math.min(length - done, PIECE);
            Memory.copy(PATTERN_ADDRESS + (offset + done & PERIOD - 1), address + done, piece);
            done += piece;
        }
    }

    /// Says whether `length` bytes at `address` are those of a message from `offset` on, its header apart.
    public static boolean isIntact(long address, int offset, int length) {
        int done = Math.max(0, HEADER_BYTES - offset);
        while (done < length) {
            int piece = Math.min(length - done, PIECE);
            if (Memory.mismatch(PATTERN_ADDRESS + (offset + done & PERIOD - 1), address + done, piece) >= 0) {
                return false;
            }
            done += piece;
        }
        return true;
    }

    /// Writes a whole message at `address`.
    public static void writeMessage(long address, int slot, int responseBytes, int length) {
        writeHeader(address, slot, responseBytes);
        write(address, 0, length);
    }

    /// Writes a whole message into a heap array.
    public static void writeMessage(byte[] target, int slot, int responseBytes) {
        putInt(target, 0, slot);
        putInt(target, 4, responseBytes);
        for (int done = HEADER_BYTES; done < target.length; ) {
            int piece = Math.min(target.length - done, PIECE);
            System.arraycopy(ARRAY, done & PERIOD - 1, target, done, piece);
            done += piece;
        }
    }

    /// Says whether a whole message in a heap array is right, its header apart.
    public static boolean isIntact(byte[] message) {
        for (int done = HEADER_BYTES; done < message.length; ) {
            int piece = Math.min(message.length - done, PIECE);
            int from = done & PERIOD - 1;
            if (java.util.Arrays.mismatch(ARRAY, from, from + piece, message, done, done + piece) >= 0) {
                return false;
            }
            done += piece;
        }
        return true;
    }

    /// Returns four bytes of an array, big-endian: at 0 the slot, at 4 the length of the response.
    public static int getInt(byte[] message, int at) {
        return message[at] << 24
                | (message[at + 1] & 0xFF) << 16
                | (message[at + 2] & 0xFF) << 8
                | message[at + 3] & 0xFF;
    }

    private static void putInt(byte[] message, int at, int value) {
        message[at] = (byte) (value >> 24);
        message[at + 1] = (byte) (value >> 16);
        message[at + 2] = (byte) (value >> 8);
        message[at + 3] = (byte) value;
    }
}
