package io.homa.scenario;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;

/// Payload bytes that tell where they belong: written and compared eight at a time, every bit of every byte.
///
/// A message begins with its *tag*, a sequence number: 8 bytes, or 1 byte in messages of less than 16. All other
/// bytes follow from tag, length and direction: byte `o` is byte `o mod 8` of the word `seed + (o / 8) · odd`.
/// A flipped bit, a swapped packet, a byte of another message or a cut length therefore shows; a flipped bit of
/// the tag shows in the bytes behind it, or, in requests of a few bytes, in the response, which follows from it.
@HotPath
public final class PayloadPattern {
    /// Direction of requests.
    public static final int REQUEST = 1;

    /// Direction of responses.
    public static final int RESPONSE = 2;

    /// Shortest message that carries the whole tag.
    static final int FULL_TAG_LENGTH = 16;

    private static final long STEP = 0x9E37_79B9_7F4A_7C15L;
    private static final int WORD = Long.BYTES;

    private PayloadPattern() {}

    /// Returns the number of bytes that the tag takes in a message of `length` bytes.
    public static int tagBytes(int length) {
        return length >= FULL_TAG_LENGTH ? WORD : 1;
    }

    /// Returns as much of `tag` as a message of `length` bytes carries.
    public static long carriedTag(long tag, int length) {
        return length >= FULL_TAG_LENGTH ? tag : tag & 0xFF;
    }

    /// Returns the tag of the message at `address`, whose first [#tagBytes] must lie there.
    public static long readTag(long address, int length) {
        return length >= FULL_TAG_LENGTH ? Memory.getLong(address) : Memory.getByte(address);
    }

    /// Returns what the bytes of a message follow from. In a response of one byte even the tag is changed, so that
    /// it proves that the request arrived.
    public static long seed(long carriedTag, int length, int direction) {
        // Every step can be undone, so that tags that differ in any bit give different seeds.
        long mixed = (carriedTag ^ (long) direction << 40) * STEP + length;
        mixed = (mixed ^ mixed >>> 29) * 0xBF58_476D_1CE4_E5B9L;
        return mixed ^ mixed >>> 32;
    }

    private static long tagWord(long carriedTag, int direction) {
        return direction == REQUEST ? carriedTag : ~carriedTag;
    }

    /// Writes `bytes` bytes of a message, those from `offset` on, to `address`.
    public static void write(long address, int offset, int bytes, long carriedTag, int length, int direction) {
        long seed = seed(carriedTag, length, direction);
        int tag = tagBytes(length);
        int at = 0;
        while (at < bytes && (offset + at < tag || (offset + at & WORD - 1) != 0)) {
            Memory.putByte(address + at, expectedByte(offset + at, carriedTag, length, direction, seed));
            at++;
        }
        long word = seed + (offset + at >>> 3) * STEP;
        for (; at + WORD <= bytes; at += WORD) {
            Memory.putLong(address + at, word);
            word += STEP;
        }
        for (; at < bytes; at++) {
            Memory.putByte(address + at, expectedByte(offset + at, carriedTag, length, direction, seed));
        }
    }

    /// Compares `bytes` bytes at `address` with those from `offset` on; 0 if all are right.
    public static long difference(long address, int offset, int bytes, long carriedTag, int length, int direction) {
        long seed = seed(carriedTag, length, direction);
        int tag = tagBytes(length);
        long difference = 0;
        int at = 0;
        while (at < bytes && (offset + at < tag || (offset + at & WORD - 1) != 0)) {
            difference |= Memory.getByte(address + at) ^ expectedByte(offset + at, carriedTag, length, direction, seed);
            at++;
        }
        long word = seed + (offset + at >>> 3) * STEP;
        for (; at + WORD <= bytes; at += WORD) {
            difference |= Memory.getLong(address + at) ^ word;
            word += STEP;
        }
        for (; at < bytes; at++) {
            difference |= Memory.getByte(address + at) ^ expectedByte(offset + at, carriedTag, length, direction, seed);
        }
        return difference;
    }

    /// Returns byte `offset` of a message, 0…255.
    private static int expectedByte(int offset, long carriedTag, int length, int direction, long seed) {
        int tag = tagBytes(length);
        if (offset < tag) {
            return (int) (tagWord(carriedTag, direction) >>> 8 * (tag - 1 - offset)) & 0xFF;
        }
        return (int) (seed + (offset >>> 3) * STEP >>> 8 * (WORD - 1 - (offset & WORD - 1))) & 0xFF;
    }
}
