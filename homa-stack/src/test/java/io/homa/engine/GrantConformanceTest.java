package io.homa.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.testing.Item;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Items of the conformance checklist about who is granted how much at which priority: G, and the table of cutoffs.
class GrantConformanceTest {
    private static final int PACKET = 1_424;

    private static EngineFixture fixture(GrantConfig grants) {
        return new EngineFixture(EngineConfig.DEFAULT.withLinkBitsPerSecond(0).withGrants(grants), 4_000);
    }

    private static int grantedOffset(String grant) {
        return Integer.parseInt(grant.split("[ @]", -1)[2]);
    }

    private static int grantPriority(String grant) {
        return Integer.parseInt(grant.split("[ @]", -1)[3]);
    }

    @Test
    @Item(78)
    void eachMessageStaysWithinTheWindowOfSoMany() {
        // Without grants to the oldest.
        try (EngineFixture f = fixture(new GrantConfig(0, 400_000, 8, 0, 1))) {
            int[] windows = {200_000, 133_333, 100_000, 80_000};
            int[] received = new int[4];
            for (int active = 1; active <= 4; active++) {
                for (int round = 0; round < 40; round++) {
                    for (int host = active - 1; host >= 0; host--) {
                        int id = 100 + 2 * host;
                        f.receiveFrom(10 + host, "DATA " + id + " " + received[host] + "+1424/900000 in=40000");
                        received[host] += PACKET;
                        for (String grant : f.sent("GRANT")) {
                            int of = (Integer.parseInt(grant.split(" ", -1)[1]) - 101) / 2;
                            assertTrue(grantedOffset(grant) - received[of] <= windows[active - 1], grant);
                        }
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1,0", "2,10", "3,210", "4,3210", "6,321000", "8,32100000"})
    @Item(83)
    void activeMessagesShareTheLowestLevelsByRank(int active, String priorities) {
        try (EngineFixture f = fixture(new GrantConfig(10_000, 4_000_000, 8, 0, 1))) {
            // The worst comes first.
            for (int i = active - 1; i >= 0; i--) {
                f.deliver(10 + i, "DATA " + (100 + 2 * i) + " 0+1000/" + (200_000 + 10_000 * i) + " in=5000");
            }
            f.receive();
            List<String> grants = f.sent("GRANT");
            assertEquals(active, grants.size());
            for (int i = 0; i < active; i++) {
                assertEquals("GRANT " + (101 + 2 * i) + " 11000@" + priorities.charAt(i) + " @p7", grants.get(i));
            }
        }
    }

    @Test
    @Item(84)
    void oldestMessageGetsItsIncrementEvery320Microseconds() {
        EngineConfig config = EngineConfig.DEFAULT.withLinkBitsPerSecond(25_000_000_000L);
        try (EngineFixture f = new EngineFixture(config, 8_000)) {
            int oldest = PACKET;
            f.receive("DATA 100 0+1424/1000000 in=40000");
            int granted = grantedOffset(f.sent("GRANT").getFirst());
            List<Long> times = new ArrayList<>();
            for (int offset = 0; offset < 300_000; offset += PACKET) {
                f.advanceNs(20_000);
                f.receiveFrom(EngineFixture.BOB, "DATA 200 " + offset + "+1424/900000 in=40000");
                for (String grant : f.sent("GRANT")) {
                    if (grant.startsWith("GRANT 101 ")) {
                        assertEquals("GRANT 101 " + (granted + 50_000) + "@6 @p7", grant);
                        granted += 50_000;
                        times.add(f.nowNs());
                        // Alice uses what she got.
                        for (int end = oldest + 50_000; oldest < end; oldest += 1_000) {
                            f.deliver(EngineFixture.ALICE, "DATA 100 " + oldest + "+1000/1000000 in=40000");
                        }
                    }
                }
            }
            assertTrue(times.size() >= 12, "grants to the oldest: " + times.size());
            for (int i = 1; i < times.size(); i++) {
                long interval = times.get(i) - times.get(i - 1);
                assertTrue(interval >= 320_000 && interval <= 340_000, "interval of " + interval + " ns");
            }
        }
    }

    @Test
    @Item(86)
    void grantGoesFromThePortOfTheRequestToThatOfItsSender() {
        try (EngineFixture f = new EngineFixture()) {
            f.receive("DATA 100 41234>4000 0+1424/500000 in=40000");
            f.expectSent("GRANT 101 4000>41234 201424@0 @p7");
        }
    }

    @Test
    @Item(111)
    void newTableMovesTheScheduledLevelsToo() {
        try (EngineFixture f = fixture(new GrantConfig(10_000, 4_000_000, 8, 0, 1))) {
            f.engine.cutoffs(new int[] {7, 7, 7, 7, 7, 7, 1_000_000, 300});
            for (int i = 0; i < 6; i++) {
                f.deliver(10 + i, "DATA " + (100 + 2 * i) + " 0+1000/" + (200_000 + 10_000 * i) + " in=5000 v=2");
            }
            f.receive();
            int[] priorities = f.sent("GRANT").stream()
                    .mapToInt(GrantConformanceTest::grantPriority)
                    .toArray();
            assertEquals(
                    List.of(5, 4, 3, 2, 1, 0), IntStream.of(priorities).boxed().toList());
        }
    }

    @Test
    @Item(111)
    void levelsNotInUseAreSentAsZero() {
        EngineConfig six = new EngineConfig(
                1500,
                0,
                40_000,
                6,
                GrantConfig.DEFAULT,
                TimerConfig.DEFAULT,
                EngineLimits.DEFAULT,
                EngineFeatures.KERNEL,
                1);
        try (EngineFixture f = new EngineFixture(six, 1_000)) {
            f.engine.cutoffs(new int[] {1, 1, 1, 1, 1_000_000, 500, 300, 200});
            f.receive("DATA 100 0+1424/9000 v=1");
            f.expectSent("CUTOFFS 101 v2 2147483647,1,1,1,1000000,500,0,0 @p5");
        }
    }
}
