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
