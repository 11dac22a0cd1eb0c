package io.homa.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.testing.Item;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Items of the conformance checklist about the sender of a message: B, D and E.
class SenderConformanceTest {
    @Test
    @Item(41)
    void oneByteIsOnePacketAtLevelSix() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(1);
            f.expectSent("DATA 1000 0+1/1 in=1 v=0 @p6");
        }
    }

    @Test
    @Item(25)
    void withoutAGrantExactlyTheUnscheduledBytesLeave() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(100_000);
            List<String> sent = f.sent();
            assertEquals(29, sent.size());
            assertEquals("DATA 1000 0+1424/100000 in=40000 v=0 @p6", sent.getFirst());
            assertEquals("DATA 1000 39872+128/100000 in=40000 v=0 @p6", sent.getLast());
            f.advanceTicks(0.5).expectNothing();
        }
    }

    @Test
    @Item({26, 44})
    void grantIsRoundedUpToAWholePacket() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(100_000);
            f.sent();
            f.receive("GRANT 1001 41000@2").expectSent("DATA 1000 40000+1424/100000 in=40000 v=0 @p2");
            f.receive("GRANT 1001 42000@3").expectSent("DATA 1000 41424+1424/100000 in=40000 v=0 @p3");
        }
    }

    @Test
    @Item({45, 46})
    void oldGrantBringsThePriorityAndALargeOneIsClipped() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(43_000);
            f.sent();
            f.receive("GRANT 1001 100@5").expectNothing();
            f.receive("GRANT 1001 2000000@4")
                    .expectSent(
                            "DATA 1000 40000+1424/43000 in=40000 v=0 @p4",
                            "DATA 1000 41424+1424/43000 in=40000 v=0 @p4",
                            "DATA 1000 42848+152/43000 in=40000 v=0 @p4");
        }
    }

    @Test
    @Item({47})
    void impossibleGrantIsHarmless() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(42_000);
            f.sent();
            f.receive("GRANT 1001 2147483648@200").expectNothing();
            f.receive("GRANT 1001 42000@255");
            assertTrue(f.sent().getFirst().endsWith("@p7"));
        }
    }

    @Test
    @Item({48})
    void grantAfterResponseDataIsIgnored() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(100_000);
            f.sent();
            f.receive("DATA 1001 0+1424/3000", "GRANT 1001 60000@0");
            assertEquals(List.of(), f.sent("DATA"));
        }
    }

    @Test
    @Item({42, 43, 112})
    void cutoffsDecideTheUnscheduledPriority() {
        try (EngineFixture f = new EngineFixture()) {
            f.receive("CUTOFFS 77 v1 0,0,0,0,1000000,15000,2800,200").expectNothing();
            int[] lengths = {200, 201, 2_800, 2_801, 15_000, 15_001};
            int[] priorities = {7, 6, 6, 5, 5, 4};
            for (int i = 0; i < lengths.length; i++) {
                f.request(lengths[i]);
                String first = f.sent().getFirst();
                assertTrue(first.contains(" v=1 ") && first.endsWith("@p" + priorities[i]), first);
            }
            f.receive("CUTOFFS 77 v2 0,0,0,0,0,0,0,0");
            f.request(100);
            assertTrue(f.sent().getFirst().endsWith("@p0"));
        }
    }

    @Test
    @Item({27})
    void impossibleLengthsAreRefused() {
        try (EngineFixture f = new EngineFixture()) {
            assertEquals(SendResult.EMPTY, f.engine.sendRequest(0, 1, 1, 32_768, 0, 0, 0, 1));
            assertEquals(SendResult.TOO_LARGE, f.engine.sendRequest(0, 1, 1, 32_768, 0, 1_000_001, 0, 1));
            f.expectNothing();
        }
    }

    @Test
    @Item({51, 52})
    void resendServesWholeSegments() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(5_000);
            f.sent();
            f.receive("RESEND 1001 1500+100@3").expectSent("DATA 1000 1424+1424/5000 in=1600 v=0 retrans @p3");
            f.advanceTicks(2).receive("RESEND 1001 1423+2@7");
            f.expectSent(
                    "DATA 1000 0+1424/5000 in=1425 v=0 retrans @p7",
                    "DATA 1000 1424+1424/5000 in=1425 v=0 retrans @p7");
        }
    }

    @Test
    @Item(53)
    void resendOfEverythingServesWhatWasSentOnce() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(100_000);
            f.sent();
            f.receive("RESEND 1001 all@7");
            List<String> sent = f.sent();
            assertEquals(29, sent.size());
            assertEquals("DATA 1000 0+1424/100000 in=40000 v=0 retrans @p7", sent.getFirst());
            assertEquals("DATA 1000 39872+128/100000 in=40000 v=0 retrans @p7", sent.getLast());
        }
    }

    @Test
    @Item({55})
    void resendForAnUnknownRpcIsAnsweredByRpcUnknown() {
        try (EngineFixture f = new EngineFixture()) {
            f.receive("RESEND 500 all@7").expectSent("RPC_UNKNOWN 501 @p7");
            f.receive("RESEND 501 all@7").expectSent("RPC_UNKNOWN 500 @p7");
        }
    }

    @Test
    @Item({56, 94})
    void serverThatIsNotReadySaysBusy() {
        try (EngineFixture f = new EngineFixture()) {
            f.receive("DATA 100 0+1424/2000");
            f.sent();
            f.receive("RESEND 100 all@7").expectSent("BUSY 101 @p7");
            f.receive("DATA 100 1424+576/2000").expectEvents("request 2000 bytes");
            f.advanceTicks(5_000).receive("RESEND 100 all@7").expectSent("BUSY 101 @p7");
        }
    }

    @Test
    @Item({58, 59})
    void resendBeyondWhatWasSentIsAGrantAndBusy() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(100_000);
            f.sent();
            f.receive("RESEND 1001 40000+2848@7")
                    .expectSent(
                            "BUSY 1000 @p7",
                            "DATA 1000 40000+1424/100000 in=40000 v=0 @p0",
                            "DATA 1000 41424+1424/100000 in=40000 v=0 @p0");
            f.receive("RESEND 1001 99000+5000@7");
            assertEquals(
                    "DATA 1000 99808+192/100000 in=40000 v=0 @p0",
                    f.sent("DATA").getLast());
        }
    }

    @Test
    @Item({60})
    void clientWithResponseDataStillServesItsRequest() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(5_000);
            f.sent();
            f.receive("DATA 1001 0+1424/5000").sent();
            f.receive("RESEND 1001 0+100@7").expectSent("DATA 1000 0+1424/5000 in=100 v=0 retrans @p7");
        }
    }

    @Test
    @Item({61})
    void rpcUnknownMakesTheClientStartOver() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(2_000);
            f.sent();
            f.receive("RPC_UNKNOWN 1001")
                    .expectSent(
                            "DATA 1000 0+1424/2000 in=2000 v=0 retrans @p6",
                            "DATA 1000 1424+576/2000 in=2000 v=0 retrans @p6");
        }
    }

    @Test
    @Item({62, 105})
    void rpcUnknownMakesTheServerForget() {
        try (EngineFixture f = new EngineFixture()) {
            f.receive("DATA 100 0+10/10 in=10");
            f.respond(20).sent();
            f.receive("RPC_UNKNOWN 100").expectNothing();
            f.receive("RESEND 100 all@7").expectSent("RPC_UNKNOWN 101 @p7");
        }
    }

    @Test
    @Item({64, 65})
    void strangeResendsAreHarmless() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(5_000);
            f.sent();
            f.receive("RESEND 1001 100+0@7").expectSent("BUSY 1000 @p7");
            f.receive("RESEND 1001 100+-5@7").expectNothing();
            f.receive("RESEND 1001 4294967295+2147483647@7").expectSent("BUSY 1000 @p7");
            f.receive("RESEND 1001 4272+2147483647@200").expectSent("DATA 1000 4272+728/5000 in=5000 v=0 retrans @p7");
        }
    }

    @Test
    @Item({66})
    void repeatedResendsWithinARoundTripAreServedOnce() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(100);
            f.sent();
            f.advanceNs(500_000).receive("DATA 1001 0+100/100 in=100").expectEvents("response 100 bytes");
            f.request(5_000);
            f.sent();
            f.advanceNs(300_000);
            for (int i = 0; i < 10; i++) {
                f.receive("RESEND 1003 0+1424@7");
                f.advanceNs(10_000);
            }
            assertEquals(1, f.sent("DATA").size());
        }
    }

    @Test
    @Item(66)
    void floodOfResendsForAResponseIsNotMultiplied() {
        try (EngineFixture f = new EngineFixture()) {
            f.receive("DATA 100 0+10/10 in=10");
            f.respond(5_000).sent();
            f.advanceNs(20_000);
            int sent = 0;
            for (int i = 0; i < 1_000; i++) {
                sent += f.receive("RESEND 100 0+1424@7").sent("DATA").size();
                f.advanceNs(100);
            }
            assertEquals(10, sent, "in 100 µs");
        }
    }

    @Test
    @Item({49, 50})
    void shortestMessageLeavesFirst() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(30_000);
            f.request(EngineFixture.BOB, 500);
            assertEquals("DATA 1002 0+500/500 in=500 v=0 @p6", f.sent().getFirst());
        }
    }

    @Test
    @Item({121})
    void olderKernelsGrantThatAsksForEverythingIsServed() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(2_000);
            f.sent();
            f.receiveGrantWithResendAll("GRANT 1001 2000@5");
            assertEquals(2, f.sent("DATA").size());
        }
    }
}
