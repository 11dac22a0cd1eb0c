package io.homa.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.memory.Memory;
import io.homa.memory.Packet;
import io.homa.wire.DataHeader;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What this stack decides about unscheduled bytes and the kernel module does not: incast control and the limit of
/// each peer. Full packets hold 1,424 bytes; 40,000 bytes are configured.
class UnscheduledRulesTest {
    private static final EngineConfig ALL =
            EngineConfig.DEFAULT.withLinkBitsPerSecond(0).withFeatures(EngineFeatures.ALL);

    private static EngineFixture fixture() {
        return new EngineFixture(ALL, 4_000);
    }

    /// Returns the unscheduled bytes that the first packet of the next request announces.
    private static int announced(EngineFixture f) {
        f.sent();
        f.request(100_000);
        f.advancePacedNs(100_000);
        String first = f.sent("DATA").getFirst();
        assertTrue(first.contains(" 0+1424/100000 "), first);
        return Integer.parseInt(first.replaceAll(".* in=(\\d+) .*", "$1"));
    }

    @Test
    void clientAsksForShortStartsOnceItHasManyRequests() {
        try (EngineFixture f = fixture()) {
            for (int i = 0; i < IncastControl.MANY_REQUESTS; i++) {
                f.request(10);
                f.expectSent("DATA " + (1_000 + 2 * i) + " 0+10/10 in=10 v=0 @p6");
            }
            f.request(10);
            f.expectSent("DATA 1050 0+10/10 in=10 v=0 short @p6");
            f.advanceNs(20_000)
                    .receive("RESEND 1051 all@7")
                    .expectSent("DATA 1050 0+10/10 in=10 v=0 retrans short @p7");
            f.receive("DATA 1001 0+5/5").sent();
            f.request(10);
            assertTrue(f.sent().getFirst().startsWith("DATA 1052 0+10/10 in=10 v=0 short "), "26 are outstanding");
            f.receive("DATA 1003 0+5/5").receive("DATA 1005 0+5/5").sent();
            f.request(10);
            assertFalse(f.sent().getFirst().contains("short"), "25 are outstanding");
        }
    }

    @Test
    void serverSendsOnePacketUnaskedIfItIsAsked() {
        try (EngineFixture f = fixture()) {
            f.receive("DATA 100 0+100/100 short")
                    .expectEvents("request 100 bytes")
                    .respond(3_000);
            f.expectSent("DATA 101 0+1424/3000 in=1424 v=0 @p6");
            f.receive("GRANT 100 3000@2");
            f.expectSent("DATA 101 1424+1424/3000 in=1424 v=0 @p2", "DATA 101 2848+152/3000 in=1424 v=0 @p2");
        }
    }

    @Test
    void otherBytesInThePaddingMeanNothing() {
        try (EngineFixture f = fixture()) {
            for (int i = 0; i < 3; i++) {
                long packet = f.packet("DATA " + (100 + 2 * i) + " 0+100/100 short");
                long padding = Packet.data(packet) + DataHeader.RETRANSMIT_OFFSET + 1 + i;
                Memory.putByte(padding, Memory.getByte(padding) ^ 1);
                assertEquals(Engine.CONSUMED, f.deliverRaw(EngineFixture.ALICE, packet));
                f.expectEvents("request 100 bytes").respond(3_000);
                assertEquals(3, f.sent("DATA").size());
            }
        }
    }

    @Test
    void kernelRulesKnowNoShortStarts() {
        try (EngineFixture f = new EngineFixture()) {
            for (int i = 0; i < 100; i++) {
                f.request(10);
            }
            assertEquals(
                    List.of(),
                    f.sent().stream().filter(p -> p.contains("short")).toList());
            f.receive("DATA 100 0+100/100 short")
                    .expectEvents("request 100 bytes")
                    .respond(3_000);
            assertEquals(3, f.sent("DATA").size());
        }
    }

    @Test
    void lossHalvesTheLimitOfOnePeerOncePerRoundTrip() {
        try (EngineFixture f = fixture()) {
            assertEquals(40_000, announced(f));
            f.receive("RESEND 1001 1424+1424@7", "RESEND 1001 4272+1424@7");
            assertEquals(19_936, announced(f), "the packets that fit into 20,000 bytes");
            f.advanceTicks(1).receive("RESEND 1001 0+1424@7");
            assertEquals(9_968, announced(f), "half of that");
            f.request(EngineFixture.BOB, 100_000);
            assertTrue(f.sent("DATA").getFirst().contains(" in=40000 "), "bob's way is another");
            for (int i = 0; i < 20; i++) {
                f.advanceTicks(1).receive("RESEND 1001 0+1424@7");
            }
            assertEquals(1_424, announced(f), "one packet at least");
        }
    }

    @Test
    void answersRaiseTheLimitAgain() {
        try (EngineFixture f = fixture()) {
            announced(f);
            f.receive("RESEND 1001 1424+1424@7");
            int before = announced(f);
            f.receive("GRANT 1003 41424@0");
            assertEquals(before + 1_424, announced(f), "a packet more");
            for (int i = 0; i < 20; i++) {
                f.request(10);
                f.receive("DATA " + (1_007 + 2 * i) + " 0+5/5");
            }
            assertEquals(40_000, announced(f));
        }
    }

    @Test
    void lostScheduledBytesDoNotCount() {
        try (EngineFixture f = fixture()) {
            announced(f);
            f.receive("GRANT 1001 100000@0").sent();
            f.receive("RESEND 1001 41424+1424@7");
            assertEquals(40_000, announced(f));
        }
    }

    @Test
    void distantPeerGetsWhatTheLinkCarriesInARoundTrip() {
        try (EngineFixture f = new EngineFixture(ALL.withLinkBitsPerSecond(25_000_000_000L), 4_000)) {
            f.request(100_000);
            f.advancePacedNs(20_000).receive("GRANT 1001 100000@0");
            assertEquals(40_000 + 15 * 1_424, announced(f), "62,500 bytes in 20 µs");
        }
        try (EngineFixture f = new EngineFixture(ALL.withLinkBitsPerSecond(25_000_000_000L), 4_000)) {
            f.request(100_000);
            f.advancePacedNs(500_000).receive("GRANT 1001 100000@0");
            assertEquals(40_000 + 28 * 1_424, announced(f), "no more than 80,000");
        }
        try (EngineFixture f = new EngineFixture(ALL.withLinkBitsPerSecond(1_000_000_000), 4_000)) {
            f.request(100_000);
            f.advancePacedNs(20_000).receive("GRANT 1001 100000@0");
            f.advancePacedNs(1_000_000);
            assertEquals(40_000, announced(f), "no less than is configured");
        }
    }
}
