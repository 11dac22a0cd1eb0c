package io.homa.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.memory.Memory;
import io.homa.testing.Item;
import io.homa.testing.Scratch;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The byte vectors of the protocol reference, section 2.19: client 10.0.0.1 port 32768, server 10.0.0.2 port
/// 4000, id 0x1234.
class GoldenVectorTest {
    private static final int CLIENT = 0x0A00_0001;
    private static final int SERVER = 0x0A00_0002;

    private static final String GRANT = "0fa08000000000000000001150060000" + "2d98b97d0000000000001235000312d0" + "00";
    private static final String RESEND =
            "0fa08000000000000000001250060000" + "28b6b97d000000000000123500000590" + "00000b2007";
    private static final String CUTOFFS = "0fa08000000000000000001550060000" + "b7a9b97d000000000000123500000000"
            + "000000000000000000000000000f4240" + "00003a9800000af0000000c80001";
    private static final String ACK =
            "80000fa0000000000000001850060000" + "fc90b97d000000000000123400020000" + "0000000012300fa00000000000001232"
                    + "0fa10000000000000000000000000000" + "00000000000000000000000000000000";
    private static final String BUSY = "0fa08000000000000000001450060000" + "406db97d0000000000001235";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GRANT 4661 201424@0|" + GRANT,
                "RESEND 4661 1424+2848@7|" + RESEND,
                "CUTOFFS 4661 v1 0,0,0,0,1000000,15000,2800,200|" + CUTOFFS,
                "ACK 4660 [4656:4000 4658:4001]|" + ACK,
                "BUSY 4661|" + BUSY,
            })
    @Item(2)
    void controlPacketIsWrittenAndReadAsGiven(String text, String hex) {
        byte[] expected = HexFormat.of().parseHex(hex);
        try (Scratch scratch = new Scratch(128)) {
            int length = PacketText.write(text, scratch.address());
            assertEquals(expected.length, length);
            boolean isFromServer = (HomaHeader.senderId(scratch.address()) & 1) != 0;
            int source = isFromServer ? SERVER : CLIENT;
            int checksum = Checksum.homa(scratch.address(), length, source, isFromServer ? CLIENT : SERVER);
            HomaHeader.checksum(scratch.address(), checksum);
            assertEquals(hex, scratch.hex(length));
        }
        try (Scratch scratch = Scratch.of(expected)) {
            assertTrue(PacketType.isValid(scratch.address(), expected.length));
            assertEquals(text, PacketText.format(scratch.address(), expected.length));
        }
    }

    @Test
    @Item({2, 21})
    void kernelsDataIsReadAndOursDiffersInTheOffsetOnly() {
        byte[] kernel = HexFormat.of()
                .parseHex("80000fa00000000000000010e0060000" + "55b5b97d000000000000123400000014"
                        + "00000014000000000000000000000000" + "00000000ffffffff0001020304050607"
                        + "08090a0b0c0d0e0f10111213");
        try (Scratch theirs = Scratch.of(kernel);
                Scratch ours = new Scratch(kernel.length)) {
            assertEquals("DATA 4660 0+20/20 in=20 v=0", PacketText.format(theirs.address(), kernel.length));
            assertTrue(DataHeader.isValid(theirs.address(), kernel.length));
            assertEquals(0, DataHeader.offset(theirs.address()));
            DataHeader.write(ours.address(), 32_768, 4_000, 0x1234, 20, 20, 0, false, 0);
            Memory.copy(theirs.address() + 56, ours.address() + 56, 20);
            DataHeader.segmentOffset(ours.address(), -1);
            HomaHeader.checksum(ours.address(), Checksum.homa(ours.address(), kernel.length, CLIENT, SERVER));
            assertEquals(HexFormat.of().formatHex(kernel), ours.hex(kernel.length));
        }
    }

    @ParameterizedTest
    @CsvSource({"16,56", "17,33", "18,37", "19,28", "20,28", "21,62", "22,28", "23,28", "24,80"})
    @Item(8)
    void packetOneByteShortIsInvalid(int type, int minimum) {
        try (Scratch scratch = new Scratch(128)) {
            HomaHeader.write(scratch.address(), type, 1, 2, 4);
            assertTrue(PacketType.isValid(scratch.address(), minimum));
            assertTrue(PacketType.isValid(scratch.address(), minimum + 40));
            assertFalse(PacketType.isValid(scratch.address(), minimum - 1));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 0x0F, 0x19, 0x7F, 0xFF})
    @Item(7)
    void unknownTypeIsInvalid(int type) {
        try (Scratch scratch = new Scratch(128)) {
            HomaHeader.write(scratch.address(), PacketType.BUSY, 1, 2, 4);
            Memory.putByte(scratch.address() + HomaHeader.TYPE_OFFSET, type);
            assertFalse(PacketType.isValid(scratch.address(), 128));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0,0,56",
        "1000001,0,56",
        "4294967295,0,56",
        "10,10,57",
        "10,4294967294,57",
        "100,2147483647,60",
        "1000000,999999,58"
    })
    void impossibleLengthsAndOffsetsAreInvalid(long messageLength, long offset, int packetLength) {
        try (Scratch scratch = new Scratch(64)) {
            DataHeader.write(scratch.address(), 1, 2, 4, (int) messageLength, 0, (int) offset, false, 0);
            assertFalse(DataHeader.isValid(scratch.address(), packetLength));
        }
    }

    @Test
    void checksumAgreesWithTheDefinition() {
        Random random = new Random(3);
        for (int length = 0; length < 200; length++) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            try (Scratch scratch = Scratch.of(bytes)) {
                assertEquals(slowChecksum(bytes), Checksum.of(scratch.address(), length), "length " + length);
            }
        }
    }

    private static int slowChecksum(byte[] bytes) {
        int sum = 0;
        for (int i = 0; i < bytes.length; i++) {
            sum += (bytes[i] & 0xFF) << ((i & 1) == 0 ? 8 : 0);
            sum = (sum & 0xFFFF) + (sum >>> 16);
        }
        return ~sum & 0xFFFF;
    }
}
