package io.homa.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.testing.Item;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Items of the conformance checklist about the receiver of a message: parts of A and B, F, G and J.
class ReceiverConformanceTest {
    /// Returns the packets of a request of `length` bytes, all of which alice may send.
    private static List<String> packets(int id, int length) {
        List<String> packets = new ArrayList<>();
        for (int offset = 0; offset < length; offset += 1_424) {
            int bytes = Math.min(1_424, length - offset);
            packets.add("DATA " + id + " " + offset + "+" + bytes + "/" + length + " in=" + length);
        }
        return packets;
    }

    @Test
    @Item({67, 68})
    void anyOrderAndDuplicatesGiveTheSameMessage() {
        for (int seed = 0; seed < 20; seed++) {
            List<String> packets = packets(100, 28_000);
            packets.addAll(packets(100, 28_000).subList(3, 9));
            Collections.shuffle(packets, new Random(seed));
            try (EngineFixture f = new EngineFixture()) {
                f.receive(packets.toArray(String[]::new)).expectEvents("request 28000 bytes");
                f.expectNothing();
            }
        }
    }

    @Test
    @Item({28, 29, 69})
    void impossibleDataIsDroppedWithoutState() {
        try (EngineFixture f = new EngineFixture()) {
            f.receive("DATA 100 0+10/1000001", "DATA 102 0+0/0", "DATA 104 90+20/100", "DATA 106 100+0/99");
            f.expectNothing();
            assertEquals(0, f.engine.rpcCount());
            assertEquals(4, f.count(Counter.DROPPED_MALFORMED));
        }
    }

    @Test
    @Item({30})
    void clientSurvivesAResponseOfImpossibleLength() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(10);
            f.sent();
            f.receive("DATA 1001 0+10/4294967295 in=10").advanceTicks(101);
            f.expectEvents("failed TIMED_OUT");
        }
    }

    @Test
    @Item({70})
    void overlappingDataContributesItsNewBytes() {
        try (EngineFixture f = new EngineFixture()) {
            f.receive("DATA 100 0+1000/5000", "DATA 100 2000+1000/5000", "DATA 100 500+1000/5000");
            f.receive("DATA 100 1200+1500/5000", "DATA 100 2500+1424/5000", "DATA 100 3924+1076/5000");
            f.expectEvents("request 5000 bytes");
        }
    }

    @Test
    @Item({71, 91, 92})
    void gapsThenTheMissingEndAreAskedFor() {
        try (EngineFixture f = new EngineFixture()) {
            f.receive("DATA 100 0+1424/20000", "DATA 100 4272+1424/20000", "DATA 100 8544+1424/20000");
            f.sent();
            f.advanceTicks(4.9).expectNothing();
            f.advanceTicks(0.2)
                    .expectSent(
                            "RESEND 101 1424+2848@7 @p7", "RESEND 101 5696+2848@7 @p7", "RESEND 101 9968+10032@7 @p7");
        }
    }

    @Test
    @Item(97)
    void reorderedPacketsAreNotAskedFor() {
        try (EngineFixture f = new EngineFixture(beyondKernel(), 4_000)) {
            f.receive("DATA 100 0+1424/20000", "DATA 100 2848+1424/20000").sent();
            f.advanceNs(5_000).receive("DATA 100 1424+1424/20000").expectNothing();
            assertEquals(0, f.count(Counter.RESENDS_SENT));
        }
    }

    private static EngineConfig beyondKernel() {
        return EngineConfig.DEFAULT.withLinkBitsPerSecond(0).withFeatures(EngineFeatures.ALL);
    }

    @Test
    @Item(97)
    void gapThatStaysIsAskedForWithinARoundTripAndOnce() {
        try (EngineFixture f = new EngineFixture(beyondKernel(), 4_000)) {
            f.receive("DATA 100 0+1424/20000 in=20000", "DATA 100 2848+1424/20000 in=20000")
                    .sent();
            f.advanceNs(PathEstimate.INITIAL_RTT_NS);
            assertEquals(List.of("RESEND 101 1424+1424@7 @p7"), f.sent("RESEND"));
            f.receive("DATA 100 4272+1424/20000 in=20000").advanceNs(PathEstimate.INITIAL_RTT_NS);
            assertEquals(List.of(), f.sent("RESEND"), "asked for once while the answer may be on its way");
        }
    }

    @Test
    @Item(72)
    void lateCopyOfADeliveredResponseIsDropped() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(10);
            f.sent();
            f.receive("DATA 1001 0+10/10 in=10", "DATA 1001 0+10/10 in=10").expectEvents("response 10 bytes");
            assertEquals(List.of(), f.sent("RPC_UNKNOWN"));
        }
    }

    @Test
    @Item({73})
    void repeatedRequestIsNotExecutedAgain() {
        try (EngineFixture f = new EngineFixture()) {
            f.receive("DATA 100 0+10/10 in=10", "DATA 100 0+10/10 in=10").expectEvents("request 10 bytes");
            f.respond(10).sent();
            f.receive("DATA 100 0+10/10 in=10").expectEvents();
        }
    }

    @Test
    @Item({74})
    void requestThatArrivesAfterItsAcknowledgementIsNotExecutedAgain() {
        try (EngineFixture f = new EngineFixture()) {
            f.receive("DATA 100 0+10/10 in=10").expectEvents("request 10 bytes");
            f.respond(10).receive("ACK 100 []").sent();
            assertEquals(0, f.engine.rpcCount());
            f.advanceTicks(200).receive("DATA 100 0+10/10 in=10").expectEvents();
            assertEquals(1, f.count(Counter.DROPPED_TOMBSTONE));
        }
    }

    @Test
    @Item({75})
    void unscheduledMessageIsNeverGranted() {
        try (EngineFixture f = new EngineFixture()) {
            f.receive("DATA 100 0+1424/40000 in=40000");
            assertEquals(List.of(), f.sent("GRANT"));
        }
    }

    @Test
    @Item(76)
    void firstGrantIsThatOfTheWorkedExample() {
        try (EngineFixture f = new EngineFixture()) {
            f.receive("DATA 100 0+1424/500000 in=40000").expectSent("GRANT 101 201424@0 @p7");
            f.receive("DATA 100 1424+1424/500000 in=40000").expectSent("GRANT 101 202848@0 @p7");
        }
    }

    @Test
    @Item({77, 87})
    void grantsRiseToTheEndAndAreNotRepeated() {
        try (EngineFixture f = new EngineFixture()) {
            List<String> grants = new ArrayList<>();
            for (int offset = 0; offset < 250_000; offset += 1_000) {
                f.receive("DATA 100 " + offset + "+1000/250000 in=40000");
                grants.addAll(f.sent("GRANT"));
            }
            f.expectEvents("request 250000 bytes");
            int last = 0;
            for (String grant : grants) {
                int offset = Integer.parseInt(grant.split("[ @]", -1)[2]);
                assertTrue(offset > last && offset <= 250_000, grant);
                last = offset;
            }
            assertEquals(250_000, last);
        }
    }

    private static EngineFixture fixture(int window, int maxIncoming) {
        EngineConfig config = EngineConfig.DEFAULT.withLinkBitsPerSecond(0);
        return new EngineFixture(config.withGrants(new GrantConfig(window, maxIncoming, 8, 0, 1)), 4_000);
    }

    @Test
    @Item({78, 80})
    void incrementsFollowTheWindow() {
        try (EngineFixture f = fixture(50_000, 400_000)) {
            f.receive("DATA 100 0+1424/500000 in=40000").expectSent("GRANT 101 51424@0 @p7");
            f.receive("DATA 100 1424+1424/500000 in=40000").expectSent("GRANT 101 52848@0 @p7");
        }
    }

    @Test
    @Item({79})
    void grantedBytesOfAllMessagesAreLimited() {
        try (EngineFixture f = fixture(100_000, 150_000)) {
            f.receive("DATA 100 0+1000/500000 in=10000").expectSent("GRANT 101 101000@0 @p7");
            f.receiveFrom(EngineFixture.BOB, "DATA 200 0+1000/600000 in=10000");
            // 100,000 are granted to the first; 9,000 of the second were coming anyway; 41,000 are left.
            f.expectSent("GRANT 201 51000@0 @p7");
        }
    }

    @Test
    @Item({81, 83})
    void eightOfTenMessagesAreGrantedAndCompletionPromotesTheNext() {
        try (EngineFixture f = fixture(10_000, 4_000_000)) {
            for (int i = 0; i < 10; i++) {
                f.receiveFrom(10 + i, "DATA " + (100 + 2 * i) + " 0+1000/" + (200_000 + 1_000 * i) + " in=5000");
            }
            List<String> grants = f.sent("GRANT");
            assertEquals(8, grants.size());
            assertFalse(grants.toString().contains("GRANT 117 ")
                    || grants.toString().contains("GRANT 119 "));
            f.receiveFrom(10, "DATA 100 1000+1000/200000 in=5000");
            assertEquals(List.of("GRANT 101 12000@3 @p7"), f.sent("GRANT"));
            f.receiveFrom(17, "DATA 114 1000+1000/207000 in=5000");
            assertEquals(List.of("GRANT 115 12000@0 @p7"), f.sent("GRANT"));
            List<String> rest = packets(100, 200_000);
            f.receiveFrom(10, rest.toArray(String[]::new)).expectEvents("request 200000 bytes");
            assertTrue(f.sent("GRANT").getFirst().startsWith("GRANT 117 "));
        }
    }

    @Test
    @Item({82})
    void everyPeerGetsOneActiveMessageBeforeAnyGetsTwo() {
        try (EngineFixture f = fixture(10_000, 4_000_000)) {
            for (int i = 0; i < 8; i++) {
                f.receive("DATA " + (100 + 2 * i) + " 0+1000/" + (200_000 + 10_000 * i) + " in=5000");
            }
            f.sent();
            f.receiveFrom(EngineFixture.BOB, "DATA 500 0+1000/900000 in=5000");
            assertEquals(List.of("GRANT 501 11000@0 @p7"), f.sent("GRANT"));
            f.receive("DATA 114 1000+1000/270000 in=5000");
            assertEquals(List.of(), f.sent("GRANT"));
        }
    }

    @Test
    @Item({84})
    void oldestMessageGetsItsShare() {
        EngineConfig config = EngineConfig.DEFAULT.withLinkBitsPerSecond(25_000_000_000L);
        try (EngineFixture f = new EngineFixture(config, 4_000)) {
            f.receive("DATA 100 0+1424/900000 in=40000").sent();
            f.advanceNs(330_000);
            f.receiveFrom(EngineFixture.BOB, "DATA 200 0+1424/100000 in=40000");
            assertTrue(f.sent("GRANT").contains("GRANT 101 251424@6 @p7"));
        }
    }

    @Test
    @Item({109, 110})
    void staleCutoffsAreAnsweredOncePerInterval() {
        try (EngineFixture f = new EngineFixture()) {
            f.receive("DATA 100 0+1424/9000 v=0", "DATA 100 1424+1424/9000 v=0");
            f.expectSent("CUTOFFS 101 v1 0,0,0,0,1000000,15000,2800,200 @p7");
            f.receive("DATA 100 2848+1424/9000 v=1").expectNothing();
            f.advanceTicks(4.5)
                    .receive("DATA 100 4272+1424/9000 v=0")
                    .expectSent("CUTOFFS 101 v1 0,0,0,0,1000000,15000,2800,200 @p7");
        }
    }

    @Test
    @Item({111})
    void newTableHasANewVersion() {
        try (EngineFixture f = new EngineFixture()) {
            f.engine.cutoffs(new int[] {9, 0, 0, 0, 0, 1_000_000, 3_000, 300});
            f.receive("DATA 100 0+1424/9000 v=1");
            f.expectSent("CUTOFFS 101 v2 2147483647,0,0,0,0,1000000,3000,300 @p7");
        }
    }
}
