package io.homa.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.homa.testing.Item;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Items of the conformance checklist about a receiver without room. Ours is the packet pool: below its reserve no
/// new message begins.
class MemoryConformanceTest {
    private static final int POOL = 64;
    private static final int RESERVE = 48;

    private static EngineFixture fixture() {
        EngineLimits limits = new EngineLimits(64, 64, 64, 64, RESERVE);
        return new EngineFixture(EngineConfig.DEFAULT.withLinkBitsPerSecond(0).withLimits(limits), POOL);
    }

    /// Takes packets away until `left` are free, and lets the engine notice.
    private static Deque<Long> take(EngineFixture f, int left) {
        Deque<Long> taken = new ArrayDeque<>();
        while (f.pool.available() > left) {
            taken.add(f.pool.allocate());
        }
        f.receive();
        return taken;
    }

    private static void giveBack(EngineFixture f, Deque<Long> taken) {
        taken.forEach(f.pool::release);
        f.receive();
    }

    @Test
    @Item(85)
    void messageWithoutRoomIsNotGranted() {
        try (EngineFixture f = fixture()) {
            Deque<Long> taken = take(f, 30);
            f.receive("DATA 100 0+1424/100000 in=40000").expectNothing();
            assertEquals(0, f.engine.rpcCount());
            giveBack(f, taken);
            f.receive("DATA 100 0+1424/100000 in=40000");
            assertEquals(1, f.sent("GRANT").size());
        }
    }

    @Test
    @Item(96)
    void withoutRoomNobodyIsAskedOrBlamed() {
        try (EngineFixture f = fixture()) {
            f.receive("DATA 100 0+1424/5000").sent();
            Deque<Long> taken = take(f, 30);
            f.advanceTicks(300).expectNothing();
            assertEquals(1, f.engine.rpcCount());
            giveBack(f, taken);
            f.advanceTicks(6);
            assertEquals(List.of("RESEND 101 1424+3576@7 @p7"), f.sent("RESEND"));
        }
    }

    /// Half a message of a client that died fills the memory: it must not stay so for ever.
    @Test
    void memoryThatStaysLowIsTakenBackFromTheSilent() {
        try (EngineFixture f = fixture()) {
            f.receive("DATA 100 0+1424/5000").sent();
            Deque<Long> taken = take(f, RESERVE - 1);
            f.advanceTicks(700);
            assertEquals(0, f.engine.rpcCount());
            assertEquals(1, f.count(Counter.SERVER_RPCS_DISCARDED));
            giveBack(f, taken);
        }
    }

    /// The client of a long response dies, or gives up, before it grants the rest.
    @Test
    void responseThatNobodyGrantsIsGivenUp() {
        try (EngineFixture f = fixture()) {
            f.receive("DATA 100 0+100/100").respond(60_000).sent();
            f.advanceTicks(250);
            assertEquals(List.of("NEED_ACK 101 @p7", "NEED_ACK 101 @p7"), f.sent());
            assertEquals(1, f.engine.rpcCount());
            f.advanceTicks(300);
            assertEquals(0, f.engine.rpcCount());
        }
    }

    @Test
    void responseOfWhichTheClientIsHeardIsKept() {
        try (EngineFixture f = fixture()) {
            f.receive("DATA 100 0+100/100").respond(60_000).sent();
            for (int i = 0; i < 20; i++) {
                f.advanceTicks(100).receive("ACK 7770 []");
            }
            assertEquals(1, f.engine.rpcCount());
            f.receive("ACK 100 []");
            assertEquals(0, f.engine.rpcCount());
        }
    }

    @Test
    @Item(
            value = 118,
            deviates = "nothing is kept for a message that found no room, so memory stays bounded whoever sends; its"
                    + " sender hears RPC_UNKNOWN when it asks and starts over")
    void refusedMessageStartsOverWhenThereIsRoom() {
        try (EngineFixture f = fixture()) {
            Deque<Long> taken = take(f, 30);
            f.receive("DATA 100 0+1424/2000", "DATA 100 1424+576/2000").expectNothing();
            assertEquals(2, f.count(Counter.DROPPED_NO_MEMORY));
            giveBack(f, taken);
            f.receive("RESEND 100 all@7").expectSent("RPC_UNKNOWN 101 @p7");
            f.receive("DATA 100 0+1424/2000 retrans", "DATA 100 1424+576/2000 retrans");
            f.expectEvents("request 2000 bytes");
        }
    }
}
