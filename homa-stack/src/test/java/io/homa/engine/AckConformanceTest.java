package io.homa.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.memory.Packet;
import io.homa.testing.Item;
import io.homa.wire.AckHeader;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Items of the conformance checklist about acknowledgements: I, and the tables that peers tell each other.
class AckConformanceTest {
    /// Acknowledgements show ids as they are on the wire.
    private static String rawId(int rpc) {
        return Long.toUnsignedString(ClientCommands.firstId(EngineConfig.DEFAULT.seed()) + 2L * rpc);
    }

    @Test
    @Item(98)
    void acknowledgementRidesToAnyPortOfTheHost() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(1);
            f.receive("DATA 1001 0+1/1 in=1").sent();
            f.request(EngineFixture.BOB, 1);
            f.request(EngineFixture.ALICE, 4_001, 3_000);
            f.expectSent(
                    "DATA 1002 0+1/1 in=1 v=0 @p6",
                    "DATA 1004 32768>4001 0+1424/3000 in=3000 v=0 ack=" + rawId(0) + ":4000 @p6",
                    "DATA 1004 32768>4001 1424+1424/3000 in=3000 v=0 @p6",
                    "DATA 1004 32768>4001 2848+152/3000 in=3000 v=0 @p6");
        }
    }

    @Test
    @Item(102)
    void needAckIsAnsweredWithEverythingThatIsStored() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(1);
            f.request(EngineFixture.ALICE, 4_001, 1);
            f.receive("DATA 1001 0+1/1 in=1", "DATA 1003 4001>32768 0+1/1 in=1").sent();
            f.receive("NEED_ACK 501 4002>32768");
            f.expectSent("ACK 500 32768>4002 [" + rawId(0) + ":4000 " + rawId(1) + ":4001] @p7");
        }
    }

    @Test
    @Item(106)
    void acknowledgementsReachTheOtherPortsOfTheServer() {
        try (EngineFixture f = new EngineFixture()) {
            f.engine.openPort(4_001, true);
            f.receive("DATA 100 0+1/1 in=1", "DATA 102 32768>4001 0+1/1 in=1", "DATA 104 0+1/1 in=1");
            f.respond(1).respond(1).respond(1).sent();
            f.receiveFrom(EngineFixture.BOB, "ACK 100 [102:4001 104:4000]");
            assertEquals(3, f.engine.rpcCount());
            f.receive("ACK 100 [102:4001 700:4000]");
            assertEquals(1, f.engine.rpcCount());
        }
    }

    @Test
    @Item(106)
    void numberOfAcknowledgementsIsClamped() {
        try (EngineFixture f = new EngineFixture()) {
            for (int id = 100; id < 112; id += 2) {
                f.receive("DATA " + id + " 0+1/1 in=1").respond(1);
            }
            f.sent();
            long packet = f.packet("ACK 100 [102:4000 104:4000 106:4000 108:4000 110:4000]");
            AckHeader.count(Packet.data(packet), 60_000);
            f.deliverRaw(EngineFixture.ALICE, packet);
            assertEquals(0, f.engine.rpcCount());
        }
    }

    @Test
    @Item(112)
    void cutoffsCountWhateverTheyAreAbout() {
        try (EngineFixture f = new EngineFixture()) {
            f.receive("CUTOFFS 9876 v5 0,0,0,1000000,0,0,0,10").expectNothing();
            f.request(11);
            f.request(EngineFixture.BOB, 11);
            f.expectSent("DATA 1000 0+11/11 in=11 v=5 @p3", "DATA 1002 0+11/11 in=11 v=0 @p6");
        }
    }

    @Test
    @Item(43)
    void entryZeroOfATableIsUnlimited() {
        try (EngineFixture f = new EngineFixture()) {
            f.receive("CUTOFFS 77 v1 5,0,0,0,0,0,0,100");
            f.request(100);
            f.request(101);
            List<String> sent = f.sent();
            assertTrue(sent.get(0).endsWith("@p7") && sent.get(1).endsWith("@p0"), sent.toString());
        }
    }

    @Test
    @Item(31)
    void repeatedAcknowledgementsInDataAreHarmless() {
        try (EngineFixture f = new EngineFixture()) {
            f.receive("DATA 100 0+1/1 in=1").respond(1).sent();
            f.receive("DATA 102 0+1424/3000 ack=100:4000", "DATA 102 1424+1424/3000 ack=100:4000");
            f.receive("DATA 102 2848+152/3000 ack=100:4000", "DATA 102 2848+152/3000 ack=102:4000");
            f.expectEvents("request 1 bytes", "request 3000 bytes");
            assertEquals(1, f.engine.rpcCount());
        }
    }
}
