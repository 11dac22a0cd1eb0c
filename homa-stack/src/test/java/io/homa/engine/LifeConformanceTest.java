package io.homa.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.testing.Item;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Items of the conformance checklist about ids and ports, timers, acknowledgements and errors: C, H, I and K.
class LifeConformanceTest {
    @Test
    @Item({13, 38})
    void garbageAndOrphansGetNoReply() {
        try (EngineFixture f = new EngineFixture()) {
            f.receive("FREEZE 0", "GRANT 101 100@0", "BUSY 101", "RPC_UNKNOWN 101", "GRANT 100 5@0")
                    .expectNothing();
            f.expectEvents();
            assertEquals(0, f.engine.rpcCount());
        }
    }

    @Test
    @Item({32, 33})
    void idsAreEvenAndStartAtRandom() {
        long first = ClientCommands.firstId(1);
        long second = ClientCommands.firstId(2);
        assertEquals(0, (first | second) & 1);
        assertNotEquals(first, second);
        try (EngineFixture f = new EngineFixture()) {
            f.request(1);
            f.request(1);
            assertEquals(List.of("DATA 1000 0+1/1 in=1 v=0 @p6", "DATA 1002 0+1/1 in=1 v=0 @p6"), f.sent());
        }
    }

    @Test
    @Item({34, 35, 36})
    void portsDecideWhoIsServed() {
        try (EngineFixture f = new EngineFixture()) {
            assertFalse(f.engine.openPort(4_000, true));
            assertEquals(Engine.PORT_UNREACHABLE, f.deliver(EngineFixture.ALICE, "DATA 100 32768>99 0+1/1 in=1"));
            assertEquals(Engine.PORT_UNREACHABLE, f.deliver(EngineFixture.ALICE, "DATA 100 32768>32768 0+1/1 in=1"));
            f.engine.closePort(32_768, f.nowNs());
            assertTrue(f.engine.openPort(32_768, true));
            f.receive("DATA 100 32768>32768 0+1/1 in=1").expectEvents("request 1 bytes");
        }
    }

    @Test
    @Item({39})
    void sameIdFromTwoHostsOrPortsIsTwoRpcs() {
        try (EngineFixture f = new EngineFixture()) {
            f.receive("DATA 100 0+1/1 in=1", "DATA 100 32769>4000 0+1/1 in=1");
            f.receiveFrom(EngineFixture.BOB, "DATA 100 0+1/1 in=1");
            f.expectEvents("request 1 bytes", "request 1 bytes", "request 1 bytes");
        }
    }

    @Test
    @Item({40})
    void packetsFromTheWrongHostOrPortAreIgnored() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(10);
            f.sent();
            f.receiveFrom(
                    EngineFixture.BOB,
                    "DATA 1001 0+5/5 in=5",
                    "RESEND 1001 all@7",
                    "RPC_UNKNOWN 1001",
                    "NEED_ACK 1001");
            f.receive("DATA 1001 4001>32768 0+5/5 in=5").expectNothing();
            f.expectEvents();
            assertEquals(5, f.count(Counter.DROPPED_WRONG_SOURCE));
            f.receive("DATA 1001 0+5/5 in=5").expectEvents("response 5 bytes");
        }
    }

    /// What the kernel waits for, in ticks.
    private static EngineConfig kernelTimes() {
        return EngineConfig.DEFAULT.withLinkBitsPerSecond(0).withTimers(new TimerConfig(1_000_000, 5, 5, 100, 2, 10));
    }

    @Test
    @Item(88)
    void silentServerIsAskedEveryFiveTicksAndGivenUpAtAHundred() {
        try (EngineFixture f = new EngineFixture(kernelTimes(), 1_000)) {
            f.request(10);
            // A GRANT of 33 bytes, which only new kernels send.
            f.receive("GRANT 1001 10@0").sent();
            for (int round = 0; round < 19; round++) {
                f.advanceTicks(4.9).expectNothing();
                f.advanceTicks(0.1).expectSent("RESEND 1000 all@7 @p7");
            }
            f.advanceTicks(4.9).expectEvents();
            f.advanceTicks(0.2).expectEvents("failed TIMED_OUT");
            f.expectNothing();
        }
    }

    @Test
    @Item(122)
    void serverOfUnknownAgeIsAskedForEverythingAndForAPieceInTurn() {
        try (EngineFixture f = new EngineFixture(kernelTimes(), 1_000)) {
            f.request(10);
            f.sent();
            f.advanceTicks(5).expectSent("RESEND 1000 all@7 @p7");
            f.advanceTicks(5).expectSent("RESEND 1000 0+100@7 @p7");
            f.advanceTicks(5).expectSent("RESEND 1000 all@7 @p7");
            // Asking for everything shows that it understands the same.
            f.receive("RESEND 1001 all@7").sent();
            f.advanceTicks(5).expectSent("RESEND 1000 all@7 @p7");
            f.advanceTicks(5).expectSent("RESEND 1000 all@7 @p7");
        }
    }

    @Test
    @Item({63, 95})
    void onlyDataGrantAndBusyAreSignsOfProgress() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(10);
            for (int i = 0; i < 300; i++) {
                f.advanceTicks(3).receive("BUSY 1001");
            }
            f.expectEvents();
            for (int i = 0; i < 33; i++) {
                f.advanceTicks(3).receive("NEED_ACK 1001", "CUTOFFS 1001 v1 0,0,0,0,0,0,0,0", "RESEND 1001 all@7");
            }
            f.expectEvents();
            f.advanceTicks(3).expectEvents("failed TIMED_OUT");
        }
    }

    @Test
    @Item({89})
    void clientWithUnsentGrantedBytesBlamesNobody() {
        EngineConfig slow = EngineConfig.DEFAULT.withLinkBitsPerSecond(1_000_000);
        try (EngineFixture f = new EngineFixture(slow, 4_000)) {
            f.request(40_000);
            f.sent();
            f.advanceTicks(250);
            assertEquals(List.of(), f.sent("RESEND"));
            f.expectEvents();
        }
    }

    @Test
    @Item({90})
    void receiverThatHasEverythingGrantedBlamesNobody() {
        EngineConfig config = EngineConfig.DEFAULT.withLinkBitsPerSecond(0);
        GrantConfig none = new GrantConfig(1, 1, 1, 0, 1);
        try (EngineFixture f = new EngineFixture(config.withGrants(none), 4_000)) {
            f.receiveFrom(EngineFixture.BOB, "DATA 300 0+10/5000 in=100");
            f.receive("DATA 100 0+1000/100000 in=1000").sent();
            f.advanceTicks(90);
            assertTrue(f.sent("RESEND").stream().allMatch(p -> p.startsWith("RESEND 301 ")));
        }
    }

    @Test
    @Item({93})
    void serverForgetsAnIncompleteRequestOfASilentClient() {
        try (EngineFixture f = new EngineFixture()) {
            f.receive("DATA 100 0+1424/5000").advanceTicks(99);
            assertEquals(19, f.sent("RESEND").size());
            f.advanceTicks(2).expectNothing();
            f.expectEvents();
            assertEquals(0, f.engine.rpcCount());
        }
    }

    @Test
    @Item({98})
    void acknowledgementRidesInTheNextData() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(1);
            f.sent();
            f.receive("DATA 1001 0+1/1 in=1");
            f.request(1);
            f.expectSent("DATA 1002 0+1/1 in=1 v=0 ack=1000:4000 @p6".replace("1000", rawId(0)));
        }
    }

    /// Acknowledgements show ids as they are on the wire.
    private static String rawId(int rpc) {
        return Long.toUnsignedString(ClientCommands.firstId(EngineConfig.DEFAULT.seed()) + 2L * rpc);
    }

    @Test
    @Item(99)
    void sixthCompletedRpcSendsAnAckWithFiveMore() {
        try (EngineFixture f = new EngineFixture()) {
            for (int i = 0; i < 6; i++) {
                f.request(1);
            }
            f.sent();
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                f.receive("DATA " + (1_001 + 2 * i) + " 0+1/1 in=1");
                if (i < 5) {
                    expected.add(rawId(i) + ":4000");
                }
            }
            assertEquals(List.of("ACK 1010 [" + String.join(" ", expected) + "] @p7"), f.sent("ACK"));
        }
    }

    @Test
    @Item(
            value = 98,
            deviates = "an acknowledgement that found no DATA for half a tick goes by itself, before the server asks")
    void idleClientAcknowledgesByItself() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(1);
            f.sent();
            f.receive("DATA 1001 0+1/1 in=1").advanceTicks(1);
            assertEquals(List.of("ACK 1000 [] @p7"), f.sent("ACK"));
        }
    }

    @Test
    @Item({100, 101})
    void unacknowledgedServerAsksFromTheSecondTickAndGivesUp() {
        try (EngineFixture f = new EngineFixture()) {
            f.receive("DATA 100 0+1/1 in=1").respond(1).sent();
            f.advanceTicks(1.9).expectNothing();
            f.advanceTicks(0.2).expectSent("NEED_ACK 101 @p7");
            f.advanceTicks(2).expectSent("NEED_ACK 101 @p7");
            f.advanceTicks(500);
            assertEquals(8, f.sent("NEED_ACK").size());
            assertEquals(0, f.engine.rpcCount());
        }
    }

    @Test
    @Item({102, 103})
    void needAckIsAnsweredWhenTheResponseIsThere() {
        try (EngineFixture f = new EngineFixture()) {
            f.receive("NEED_ACK 501").expectSent("ACK 500 [] @p7");
            f.request(1);
            f.sent();
            f.receive("DATA 1001 0+1/1 in=1").sent();
            f.receive("NEED_ACK 1001");
            assertEquals(1, f.sent("ACK").size());
        }
    }

    @Test
    @Item({104})
    void needAckForAnIncompleteResponseAsksForTheRest() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(1);
            f.sent();
            f.receive("DATA 1001 0+1424/5000", "DATA 1001 2848+1424/5000").sent();
            f.receive("NEED_ACK 1001").expectNothing();
            f.advanceTicks(1.1).receive("NEED_ACK 1001");
            f.expectSent("RESEND 1000 1424+1424@7 @p7", "RESEND 1000 4272+728@7 @p7");
        }
    }

    @Test
    @Item({31, 105, 106})
    void serverFreesWhatIsAcknowledgedInAnyWay() {
        try (EngineFixture f = new EngineFixture()) {
            for (int id = 100; id < 108; id += 2) {
                f.receive("DATA " + id + " 0+1/1 in=1").respond(1);
            }
            f.sent();
            f.receive("ACK 100 [102:4000 9999:4000 104:4001]");
            assertEquals(2, f.engine.rpcCount());
            f.receive("DATA 200 0+1/2 in=2 ack=104:4000", "DATA 200 1+1/2 in=2 ack=104:4000");
            assertEquals(2, f.engine.rpcCount());
            f.sent();
            f.receive("RESEND 104 all@7").expectSent("RPC_UNKNOWN 105 @p7");
        }
    }

    @Test
    @Item({107, 108})
    void acknowledgementOfWhatIsNotOutgoingIsIgnored() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(10);
            f.sent();
            f.receive("ACK 1001 []").expectEvents();
            f.receive("DATA 100 0+1/1 in=1", "ACK 100 []").expectEvents("request 1 bytes");
            f.respond(5).expectSent("DATA 101 0+5/5 in=5 v=0 @p6");
        }
    }

    @Test
    @Item({113, 115})
    void unreachableReportFailsOnlyWhatItConcerns() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(10);
            f.request(EngineFixture.BOB, 10);
            f.sent();
            long alice = EngineFixture.host(EngineFixture.ALICE);
            f.engine.onUnreachable(0, alice, 4_000, 12_345, RpcError.PORT_UNREACHABLE, f.nowNs());
            f.engine.onUnreachable(0, alice, 4_001, 0, RpcError.PORT_UNREACHABLE, f.nowNs());
            f.expectEvents();
            f.engine.onUnreachable(0, alice, 4_000, 0, RpcError.PORT_UNREACHABLE, f.nowNs());
            f.expectEvents("failed PORT_UNREACHABLE");
            assertEquals(1, f.engine.rpcCount());
        }
    }

    @Test
    @Item({116})
    void cancelledRpcIsSilentAndItsServerHearsOnRequest() {
        try (EngineFixture f = new EngineFixture()) {
            long rpc = f.request(10);
            f.sent();
            assertTrue(f.engine.cancel(rpc, false, f.nowNs()));
            assertFalse(f.engine.cancel(rpc, true, f.nowNs()));
            f.receive("DATA 1001 0+1/1 in=1").expectNothing();
            f.expectEvents();
            f.receive("NEED_ACK 1001");
            assertEquals(1, f.sent("ACK").size());
        }
    }

    @Test
    @Item({117})
    void responseToAGoneRpcIsSwallowed() {
        try (EngineFixture f = new EngineFixture()) {
            f.receive("DATA 100 0+1/1 in=1", "RPC_UNKNOWN 100");
            f.respond(10).expectNothing();
            assertEquals(1, f.count(Counter.RESPONSES_TO_GONE_RPCS));
        }
    }

    @Test
    @Item({120})
    void closingAPortSendsNothing() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(10);
            f.receive("DATA 100 0+1/1 in=1").sent();
            f.engine.closePort(32_768, f.nowNs());
            f.engine.closePort(4_000, f.nowNs());
            f.expectNothing();
            f.expectEvents("request 1 bytes", "failed CLOSED");
            assertEquals(Engine.PORT_UNREACHABLE, f.deliver(EngineFixture.ALICE, "DATA 102 0+1/1 in=1"));
        }
    }

    @Test
    void restartedServerFailsFastWhenNothingButUnknownComes() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(10);
            f.sent();
            f.receive("DATA 1001 0+1424/5000", "RPC_UNKNOWN 1001").expectEvents();
            f.advanceTicks(1).receive("RPC_UNKNOWN 1001").expectEvents();
            f.advanceTicks(5).receive("RPC_UNKNOWN 1001").expectEvents("failed PEER_RESTARTED");
        }
    }

    @Test
    void pauseOfThisHostIsNotHeldAgainstThePeer() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(10);
            f.sent();
            f.engine.onResume(5_000 * EngineFixture.TICK_NS, f.nowNs() + 5_000 * EngineFixture.TICK_NS);
            f.jumpTicks(5_000).expectEvents();
            f.advanceTicks(101).expectEvents("failed TIMED_OUT");
        }
    }
}
