package io.homa.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.memory.Memory;
import io.homa.memory.Packet;
import io.homa.testing.Item;
import io.homa.wire.AckHeader;
import io.homa.wire.DataHeader;
import io.homa.wire.HomaHeader;
import io.homa.wire.PacketType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Items of the conformance checklist about the bytes of DATA and what a receiver takes from them: B, F, and
/// identifiers.
class DataConformanceTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 1_424, 1_425, 39_999, 40_000, 40_001, 100_000, 1_000_000})
    @Item(18)
    void packetsOfAMessageCoverItOnceAndAgreeOnItsLength(int length) {
        try (EngineFixture f = new EngineFixture()) {
            f.request(length);
            f.receive("GRANT 1001 " + length + "@0");
            int offset = 0;
            for (DataText data : DataText.all(f.sent())) {
                assertEquals(length, data.length());
                assertEquals(offset, data.offset());
                offset = data.end();
            }
            assertEquals(length, offset);
        }
    }

    @Test
    @Item(19)
    void requestOfOneByteIsOnePacketOf57Bytes() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(1);
            List<EngineFixture.Sent> sent = f.sentPackets();
            assertEquals(1, sent.size());
            assertEquals(57, sent.getFirst().bytes().length);
        }
    }

    @ParameterizedTest
    @CsvSource({"1500,1424,1404", "9000,8924,8904", "576,500,480"})
    @Item(20)
    void fullPacketsFillTheMtuOfEitherIpVersion(int mtu, int dataV4, int dataV6) {
        EngineConfig config = EngineConfig.DEFAULT.withLinkBitsPerSecond(0).withMtu(mtu);
        try (EngineFixture f = new EngineFixture(config, 1_000)) {
            f.request(EngineFixture.ALICE, 30_000);
            assertEquals(dataV4, largest(f));
            f.request(EngineFixture.FIRST_IPV6, 30_000);
            assertEquals(dataV6, largest(f));
        }
    }

    private static int largest(EngineFixture f) {
        return DataText.all(f.sent()).stream().mapToInt(DataText::bytes).max().orElseThrow();
    }

    @Test
    @Item(21)
    void offsetInTheSequenceFieldIsUnderstood() {
        try (EngineFixture f = new EngineFixture()) {
            for (String text : List.of("DATA 100 1424+576/2000", "DATA 100 0+1424/2000")) {
                long packet = f.packet(text);
                DataHeader.segmentOffset(Packet.data(packet), -1);
                f.deliverRaw(EngineFixture.ALICE, packet);
            }
            // The fixture compares every byte with what its offset says.
            f.expectEvents("request 2000 bytes");
        }
    }

    @Test
    @Item(22)
    void explicitOffsetBeatsTheSequenceField() {
        try (EngineFixture f = new EngineFixture()) {
            for (String text : List.of("DATA 100 0+1424/2000", "DATA 100 1424+576/2000")) {
                long packet = f.packet(text);
                HomaHeader.sequence(Packet.data(packet), 700);
                f.deliverRaw(EngineFixture.ALICE, packet);
            }
            f.expectEvents("request 2000 bytes");
        }
    }

    @Test
    @Item(23)
    void offsetIsSentInBothPlacesAlsoAgain() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(5_000);
            List<EngineFixture.Sent> sent = new ArrayList<>(f.sentPackets());
            sent.addAll(f.receive("RESEND 1001 all@7").sentPackets());
            assertEquals(8, sent.size());
            for (EngineFixture.Sent packet : sent) {
                int offset = DataText.of(packet.text()).offset();
                assertEquals(offset, int32(packet.bytes(), HomaHeader.SEQUENCE_OFFSET));
                assertEquals(offset, int32(packet.bytes(), DataHeader.SEGMENT_OFFSET_OFFSET));
            }
        }
    }

    private static int int32(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) << 24
                | (bytes[at + 1] & 0xFF) << 16
                | (bytes[at + 2] & 0xFF) << 8
                | bytes[at + 3] & 0xFF;
    }

    @Test
    @Item(24)
    void incomingIsTheUnscheduledPartInScheduledPacketsToo() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(50_000);
            f.receive("GRANT 1001 50000@1");
            assertTrue(DataText.all(f.sent()).stream().allMatch(d -> d.incoming() == 40_000));
            f.request(30_000);
            assertTrue(DataText.all(f.sent()).stream().allMatch(d -> d.incoming() == 30_000));
        }
    }

    @Test
    @Item(32)
    void idsAreEvenAndEachIsUsedOnceForAllPorts() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(1);
            f.request(EngineFixture.BOB, 4_001, 1);
            f.request(1);
            f.expectSent(
                    "DATA 1000 0+1/1 in=1 v=0 @p6",
                    "DATA 1002 32768>4001 0+1/1 in=1 v=0 @p6",
                    "DATA 1004 0+1/1 in=1 v=0 @p6");
            f.receive("DATA 100 0+1/1 in=1").respond(1).expectSent("DATA 101 0+1/1 in=1 v=0 @p6");
        }
    }

    @Test
    @Item(33)
    void firstIdsOfProcessesAreFarApart() {
        long[] firsts = new long[1_000];
        for (int seed = 0; seed < firsts.length; seed++) {
            firsts[seed] = ClientCommands.firstId(seed);
            assertEquals(0, firsts[seed] & 1);
            assertNotEquals(0, firsts[seed]);
        }
        Arrays.sort(firsts);
        for (int i = 1; i < firsts.length; i++) {
            assertTrue(firsts[i] - firsts[i - 1] > 1L << 32, "two processes would meet after 2 billion requests");
        }
    }

    @Test
    @Item({37, 38})
    void packetsForUnknownRpcsAreDroppedWithoutReply() {
        try (EngineFixture f = new EngineFixture()) {
            String[] packets = {"DATA 101 0+10/10", "GRANT 100 9@0", "GRANT 101 9@0", "BUSY 100", "BUSY 101"};
            f.receive(packets).receive("RPC_UNKNOWN 100", "RPC_UNKNOWN 101").expectNothing();
            f.expectEvents();
            assertEquals(0, f.engine.rpcCount());
            assertEquals(7, f.count(Counter.DROPPED_UNKNOWN_RPC));
        }
    }

    @Test
    @Item(69)
    void dataBeyondTheEndOfItsMessageLeavesTheRestAlone() {
        try (EngineFixture f = new EngineFixture()) {
            f.receive("DATA 100 0+1000/2000", "DATA 100 2000+10/2000", "DATA 100 1500+501/2000");
            f.receive("DATA 100 3000+0/2000", "DATA 100 1000+900/2000").expectEvents();
            f.receive("DATA 100 1900+100/2000").expectEvents("request 2000 bytes");
        }
    }

    @Test
    @Item(70)
    void anyOverlapsGiveTheRightBytesAndNeverTooFew() {
        Random random = new Random(7);
        for (int round = 0; round < 200; round++) {
            try (EngineFixture f = new EngineFixture(EngineConfig.DEFAULT.withLinkBitsPerSecond(0), 600)) {
                boolean[] has = new boolean[3_000];
                for (int i = 0; i < 25 && f.events.isEmpty(); i++) {
                    int from = random.nextInt(has.length);
                    int bytes = 1 + random.nextInt(Math.min(1_000, has.length - from));
                    f.receive("DATA 100 " + from + "+" + bytes + "/3000");
                    Arrays.fill(has, from, from + bytes, true);
                }
                assertTrue(f.events.isEmpty() || all(has), "complete with bytes missing");
                // A packet fills one gap; a sender that is asked again fills the next.
                for (int offset = 0; f.events.isEmpty(); offset = (offset + 100) % has.length) {
                    f.receive("DATA 100 " + offset + "+100/3000");
                }
                f.expectEvents("request 3000 bytes");
            }
        }
    }

    private static boolean all(boolean[] flags) {
        for (boolean flag : flags) {
            if (!flag) {
                return false;
            }
        }
        return true;
    }

    @Test
    @Item({11, 12})
    void acksHave80BytesAndGrants34() {
        try (EngineFixture f = new EngineFixture()) {
            f.receive("NEED_ACK 501", "DATA 100 0+1424/50000 in=1424");
            List<EngineFixture.Sent> sent = f.sentPackets();
            assertEquals("ACK 500 [] @p7", sent.get(0).text());
            assertEquals(AckHeader.LENGTH, sent.get(0).bytes().length);
            byte[] grant = sent.get(1).bytes();
            assertEquals(PacketType.GRANT, grant[HomaHeader.TYPE_OFFSET]);
            assertEquals(34, grant.length);
            assertEquals(0, grant[33]);
        }
    }

    @Test
    @Item(9)
    void longerControlPacketsAreReadLikeShortOnes() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(50_000);
            f.receive("DATA 100 0+1/1 in=1").respond(1).sent();
            deliverLonger(f, "GRANT 1001 41000@2", 1);
            assertEquals(List.of("DATA 1000 40000+1424/50000 in=40000 v=0 @p2"), f.sent("DATA"));
            deliverLonger(f, "ACK 100 []", 10);
            assertEquals(1, f.engine.rpcCount());
        }
    }

    private static void deliverLonger(EngineFixture f, String text, int more) {
        long packet = f.packet(text);
        int length = Packet.length(packet);
        Memory.fill(Packet.data(packet) + length, more, 0);
        Packet.length(packet, length + more);
        f.deliverRaw(EngineFixture.ALICE, packet);
    }
}
