package io.homa.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.memory.Memory;
import io.homa.memory.MemoryRegions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whatever happens to a message's bytes shows.
class PayloadPatternTest {
    private static final int ROOM = 8_192;

    private final Arena arena = Arena.ofConfined();
    private long address;

    @BeforeEach
    void allocate() {
        MemorySegment memory = arena.allocate(ROOM, 8);
        address = memory.address();
        MemoryRegions.add(address, ROOM);
    }

    @AfterEach
    void free() {
        MemoryRegions.remove(address);
        arena.close();
    }

    private void write(int length, long tag, int direction) {
        PayloadPattern.write(address, 0, length, PayloadPattern.carriedTag(tag, length), length, direction);
    }

    private long difference(int length, long tag, int direction) {
        return PayloadPattern.difference(address, 0, length, PayloadPattern.carriedTag(tag, length), length, direction);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 8, 9, 15, 16, 17, 23, 24, 100, 1_424, 1_425, 5_000})
    void whatWasWrittenIsIntactAndNamesItsTag(int length) {
        long tag = 0x1234_5678_9ABCL;
        write(length, tag, PayloadPattern.REQUEST);
        assertEquals(0, difference(length, tag, PayloadPattern.REQUEST));
        assertEquals(PayloadPattern.carriedTag(tag, length), PayloadPattern.readTag(address, length));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 15, 16, 100, 1_424})
    void everyFlippedBitShows(int length) {
        for (int direction : new int[] {PayloadPattern.REQUEST, PayloadPattern.RESPONSE}) {
            write(length, 77, direction);
            for (int bit = 0; bit < 8 * length; bit++) {
                flip(bit);
                assertNotEquals(0, difference(length, 77, direction), "bit " + bit);
                flip(bit);
            }
            assertEquals(0, difference(length, 77, direction));
        }
    }

    private void flip(int bit) {
        Memory.putByte(address + bit / 8, Memory.getByte(address + bit / 8) ^ 1 << bit % 8);
    }

    @Test
    void flippedTagOfRequestShowsInItsOtherBytesOrInTheResponse() {
        for (int length : new int[] {1, 2, 8, 16, 100}) {
            for (int bit = 0; bit < 8 * PayloadPattern.tagBytes(length); bit++) {
                write(length, 77, PayloadPattern.REQUEST);
                flip(bit);
                long found = PayloadPattern.readTag(address, length);
                long inRequest = difference(length, found, PayloadPattern.REQUEST);
                write(length, found, PayloadPattern.RESPONSE);
                assertNotEquals(0, difference(length, 77, PayloadPattern.RESPONSE), "bit " + bit);
                assertTrue(length < 8 || inRequest != 0, "bit " + bit + " of " + length);
            }
        }
    }

    @Test
    void swappedWordsAndSwappedPacketsShow() {
        write(2_848, 5, PayloadPattern.REQUEST);
        for (int distance : new int[] {8, 1_424}) {
            long one = Memory.getLong(address + 16);
            long two = Memory.getLong(address + 16 + distance);
            Memory.putLong(address + 16, two);
            Memory.putLong(address + 16 + distance, one);
            assertNotEquals(0, difference(2_848, 5, PayloadPattern.REQUEST));
            Memory.putLong(address + 16, one);
            Memory.putLong(address + 16 + distance, two);
        }
        assertEquals(0, difference(2_848, 5, PayloadPattern.REQUEST));
    }

    @Test
    void truncatedOtherAndReflectedMessagesShow() {
        write(1_000, 5, PayloadPattern.REQUEST);
        assertNotEquals(0, difference(999, 5, PayloadPattern.REQUEST));
        assertNotEquals(0, difference(1_000, 6, PayloadPattern.REQUEST));
        assertNotEquals(0, difference(1_000, 5, PayloadPattern.RESPONSE));
        for (int tag = 0; tag < 256; tag++) {
            write(1, tag, PayloadPattern.REQUEST);
            assertNotEquals(0, difference(1, tag, PayloadPattern.RESPONSE));
        }
    }

    @Test
    void partsAtAnyOffsetAreThoseOfTheWhole() {
        int length = 200;
        long tag = 99;
        write(length, tag, PayloadPattern.RESPONSE);
        long part = address + 4_096;
        for (int offset = 0; offset < length; offset++) {
            for (int bytes = 0; bytes <= length - offset; bytes += 1 + bytes / 3) {
                PayloadPattern.write(part, offset, bytes, tag, length, PayloadPattern.RESPONSE);
                for (int i = 0; i < bytes; i++) {
                    assertEquals(Memory.getByte(address + offset + i), Memory.getByte(part + i));
                }
                assertEquals(
                        0,
                        PayloadPattern.difference(
                                address + offset, offset, bytes, tag, length, PayloadPattern.RESPONSE));
            }
        }
    }

    @Test
    void bytesAreNotAllAlike() {
        write(1_424, 1, PayloadPattern.REQUEST);
        boolean[] seen = new boolean[256];
        int distinct = 0;
        for (int i = 0; i < 1_424; i++) {
            int value = Memory.getByte(address + i);
            distinct += seen[value] ? 0 : 1;
            seen[value] = true;
        }
        assertTrue(distinct > 200, "distinct bytes: " + distinct);
    }
}
