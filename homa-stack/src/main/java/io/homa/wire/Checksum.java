package io.homa.wire;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;

/// Ones-complement sums, as IP, ICMP and TCP use them (RFC 1071).
///
/// A running sum is a `long` that is folded only at the end; ranges are added from an even offset on.
@HotPath
public final class Checksum {
    /// The protocol number in Homa's pseudo-header: TCP's, so that NICs that fill TCP checksums fill these
    /// (protocol reference 2.11).
    private static final int PSEUDO_PROTOCOL = 6;

    private Checksum() {}

    /// Adds `length` bytes at `address` to `sum`. An odd last byte counts as the upper half of a word.
    public static long add(long sum, long address, int length) {
        long total = sum;
        long at = address;
        long end = address + length;
        for (; at + 8 <= end; at += 8) {
            long word = Memory.getLongNative(at);
            total += (word & 0xFFFF_FFFFL) + (word >>> 32);
        }
        // Words were read in the machine's order; the sum of swapped words is the swapped sum, so swap once.
        total = swap(fold(total));
        for (; at + 2 <= end; at += 2) {
            total += Memory.getShort(at);
        }
        if (at < end) {
            total += (long) Memory.getByte(at) << 8;
        }
        return swap(fold(total));
    }

    /// Finishes a sum made by [#add]: the value for the checksum field.
    public static int finish(long sum) {
        return ~swap(fold(sum)) & 0xFFFF;
    }

    /// Adds a 16-bit value in network order.
    public static long addShort(long sum, int value) {
        return sum + swap(value & 0xFFFF);
    }

    /// Adds the two 16-bit halves of a value in network order.
    public static long addInt(long sum, int value) {
        return addShort(addShort(sum, value >>> 16), value);
    }

    private static int fold(long sum) {
        long folded = (sum & 0xFFFF_FFFFL) + (sum >>> 32);
        folded = (folded & 0xFFFF) + (folded >>> 16);
        folded = (folded & 0xFFFF) + (folded >>> 16);
        return (int) ((folded & 0xFFFF) + (folded >>> 16));
    }

    private static int swap(int value) {
        return Short.reverseBytes((short) value) & 0xFFFF;
    }

    /// Returns the checksum of `length` bytes at `address`; 0 for a range that holds its own right checksum.
    public static int of(long address, int length) {
        return finish(add(0, address, length));
    }

    /// Returns the checksum of a Homa packet of `length` bytes between two IPv4 addresses; its checksum field
    /// must be 0.
    public static int homa(long header, int length, int source, int destination) {
        long sum = addInt(addInt(0, source), destination);
        sum = addShort(addShort(sum, PSEUDO_PROTOCOL), length);
        return finish(add(sum, header, length));
    }

    /// Returns the same between two IPv6 addresses.
    public static int homa(long header, int length, long sourceHigh, long sourceLow, long targetHigh, long targetLow) {
        long sum = addInt(addInt(0, (int) (sourceHigh >>> 32)), (int) sourceHigh);
        sum = addInt(addInt(sum, (int) (sourceLow >>> 32)), (int) sourceLow);
        sum = addInt(addInt(sum, (int) (targetHigh >>> 32)), (int) targetHigh);
        sum = addInt(addInt(sum, (int) (targetLow >>> 32)), (int) targetLow);
        sum = addShort(addShort(sum, PSEUDO_PROTOCOL), length);
        return finish(add(sum, header, length));
    }
}
