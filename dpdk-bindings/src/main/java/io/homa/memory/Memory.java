package io.homa.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Reads and writes off-heap memory by absolute address: the only class with an unbounded segment.
///
/// Accessors without a suffix use network byte order (big-endian); those ending in `Native` use the machine's
/// order, for structures shared with C. Values narrower than the return type are zero-extended. Alignment is not
/// required.
///
/// With `-Dhoma.memory.check=true` (on in every test) each access must lie inside a region announced to
/// [MemoryRegions]; otherwise an [IndexOutOfBoundsException] names the address. Without the flag a wrong address
/// crashes the JVM, as in C. Stateless; safe from any thread as far as the memory itself is.
@HotPath
public final class Memory {
    /// Whether accesses are checked. A static final, so that production code pays nothing.
    public static final boolean CHECKED = Boolean.getBoolean("homa.memory.check");

    private static final MemorySegment ALL = everything();
    private static final ValueLayout.OfShort SHORT_BE =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT_BE = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG_BE = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private Memory() {}

    @SuppressWarnings("restricted") // The one unbounded segment of the project.
    private static MemorySegment everything() {
        return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    }

    private static void check(long address, long length) {
        if (CHECKED) {
            MemoryRegions.check(address, length);
        }
    }

    /// Returns the unsigned byte at `address`, 0…255.
    public static int getByte(long address) {
        check(address, 1);
        return ALL.get(ValueLayout.JAVA_BYTE, address) & 0xFF;
    }

    public static void putByte(long address, int value) {
        check(address, 1);
        ALL.set(ValueLayout.JAVA_BYTE, address, (byte) value);
    }

    /// Returns the unsigned 16-bit value at `address`, 0…65535.
    public static int getShort(long address) {
        check(address, 2);
        return ALL.get(SHORT_BE, address) & 0xFFFF;
    }

    public static void putShort(long address, int value) {
        check(address, 2);
        ALL.set(SHORT_BE, address, (short) value);
    }

    /// Returns the 32 bits at `address` as a signed int.
    public static int getInt(long address) {
        check(address, 4);
        return ALL.get(INT_BE, address);
    }

    /// Returns the unsigned 32-bit value at `address`, 0…2³²−1.
    public static long getUnsignedInt(long address) {
        return getInt(address) & 0xFFFF_FFFFL;
    }

    public static void putInt(long address, int value) {
        check(address, 4);
        ALL.set(INT_BE, address, value);
    }

    public static long getLong(long address) {
        check(address, 8);
        return ALL.get(LONG_BE, address);
    }

    public static void putLong(long address, long value) {
        check(address, 8);
        ALL.set(LONG_BE, address, value);
    }

    /// Returns the unsigned 16-bit value at `address` in the machine's byte order.
    public static int getShortNative(long address) {
        check(address, 2);
        return ALL.get(ValueLayout.JAVA_SHORT_UNALIGNED, address) & 0xFFFF;
    }

    public static void putShortNative(long address, int value) {
        check(address, 2);
        ALL.set(ValueLayout.JAVA_SHORT_UNALIGNED, address, (short) value);
    }

    public static int getIntNative(long address) {
        check(address, 4);
        return ALL.get(ValueLayout.JAVA_INT_UNALIGNED, address);
    }

    public static void putIntNative(long address, int value) {
        check(address, 4);
        ALL.set(ValueLayout.JAVA_INT_UNALIGNED, address, value);
    }

    public static long getLongNative(long address) {
        check(address, 8);
        return ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, address);
    }

    public static void putLongNative(long address, long value) {
        check(address, 8);
        ALL.set(ValueLayout.JAVA_LONG_UNALIGNED, address, value);
    }

    /// Copies `length` bytes; the ranges may overlap.
    public static void copy(long source, long target, long length) {
        check(source, length);
        check(target, length);
        MemorySegment.copy(ALL, source, ALL, target, length);
    }

    /// Copies `length` bytes out to `target`, starting at `targetOffset` in it.
    public static void copyTo(long source, MemorySegment target, long targetOffset, long length) {
        check(source, length);
        MemorySegment.copy(ALL, source, target, targetOffset, length);
    }

    /// Copies `length` bytes in from `source`, starting at `sourceOffset` in it.
    public static void copyFrom(MemorySegment source, long sourceOffset, long target, long length) {
        check(target, length);
        MemorySegment.copy(source, sourceOffset, ALL, target, length);
    }

    /// Copies `length` bytes out to a heap array.
    public static void copyTo(long source, byte[] target, int targetOffset, int length) {
        check(source, length);
        MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, source, target, targetOffset, length);
    }

    /// Copies `length` bytes in from a heap array.
    public static void copyFrom(byte[] source, int sourceOffset, long target, int length) {
        check(target, length);
        MemorySegment.copy(source, sourceOffset, ALL, ValueLayout.JAVA_BYTE, target, length);
    }

    /// Returns the index of the first byte that differs between two ranges of `length` bytes, -1 if none does.
    public static long mismatch(long one, long other, long length) {
        check(one, length);
        check(other, length);
        return MemorySegment.mismatch(ALL, one, one + length, ALL, other, other + length);
    }

    /// Sets `length` bytes to `value`.
    public static void fill(long address, long length, int value) {
        check(address, length);
        for (long i = 0; i < length; i++) {
            ALL.set(ValueLayout.JAVA_BYTE, address + i, (byte) value);
        }
    }
}
