package io.homa.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.testing.Item;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Items of the conformance checklist about what leaves when, on a link with a speed: D, and E while data waits.
class TransmitConformanceTest {
    private static final long TEN_GBIT = 10_000_000_000L;
    /// Time in which the link of these tests carries a byte, and what surrounds Homa's bytes on it.
    private static final double NS_PER_BYTE = 0.8;

    private static final int AROUND_BYTES = 62;

    private static EngineFixture link(long bitsPerSecond) {
        return new EngineFixture(EngineConfig.DEFAULT.withLinkBitsPerSecond(bitsPerSecond), 4_000);
    }

    @Test
    @Item(44)
    void unscheduledPacketsThatLeaveAfterAGrantKeepTheirPriority() {
        try (EngineFixture f = link(1_000_000_000L)) {
            f.request(100_000);
            int before = f.sent().size();
            f.receive("GRANT 1001 60000@2").advancePacedNs(2_000_000);
            List<DataText> sent = DataText.all(f.sent());
            assertTrue(before < 5 && sent.getLast().offset() > 58_000, "the grant came while data waited");
            for (DataText data : sent) {
                assertEquals(data.offset() < 40_000 ? 6 : 2, data.priority());
            }
        }
    }

    @Test
    @Item(49)
    void shortMessageOvertakesAMegabyteOnASaturatedLink() {
        try (EngineFixture f = link(TEN_GBIT)) {
            f.request(1_000_000);
            f.receive("GRANT 1001 1000000@0");
            f.advancePacedNs(200_000);
            List<EngineFixture.Sent> sent = new ArrayList<>(f.sentPackets());
            f.request(EngineFixture.BOB, 500);
            List<EngineFixture.Sent> next = f.sentPackets();
            assertTrue(next.getFirst().text().startsWith("DATA 1002 0+500/500"), next.toString());
            assertEquals(f.nowNs(), next.getFirst().timeNs());
            assertTrue(sent.size() > 100, "the link was busy");
            double idleNs = 0;
            for (EngineFixture.Sent packet : sent) {
                assertTrue(idleNs <= packet.timeNs() + 5_001, "more than 5 µs of data were ahead");
                idleNs = Math.max(idleNs, (double) packet.timeNs())
                        + (packet.bytes().length + AROUND_BYTES) * NS_PER_BYTE;
            }
        }
    }

    @Test
    @Item(50)
    void fewerBytesLeftGoFirstAndTheOldestGetsItsShare() {
        try (EngineFixture f = link(TEN_GBIT)) {
            f.request(900_000);
            f.request(EngineFixture.BOB, 400_000);
            f.receive("GRANT 1001 900000@0");
            f.receiveFrom(EngineFixture.BOB, "GRANT 1003 400000@0");
            long oldest = 0;
            long shortest = 0;
            while (shortest < 360_000) {
                f.advancePacedNs(5_000);
                for (DataText data : DataText.all(f.sent())) {
                    oldest += data.id() == 1_000 ? data.bytes() : 0;
                    shortest += data.id() == 1_002 ? data.bytes() : 0;
                }
            }
            double share = (double) oldest / (oldest + shortest);
            assertTrue(share > 0.03 && share < 0.07, "share of the oldest: " + share);
        }
    }

    @Test
    @Item(57)
    void resendOfWhatStillWaitsIsAnsweredByBusyOnly() {
        try (EngineFixture f = link(1_000_000_000L)) {
            f.request(40_000);
            assertTrue(DataText.all(f.sent()).getLast().end() < 10_000);
            f.receive("RESEND 1001 30000+1424@7");
            assertEquals(List.of("BUSY 1000 @p7"), f.sent());
            f.advancePacedNs(1_000_000);
            assertFalse(DataText.all(f.sent()).stream().anyMatch(DataText::isRetransmission));
        }
    }

    @Test
    @Item(54)
    void segmentsAreSentAgainAsTheyWereCut() {
        try (EngineFixture f = new EngineFixture()) {
            f.request(100_000);
            f.receive("GRANT 1001 100000@0");
            List<DataText> first = DataText.all(f.sent());
            f.receive("RESEND 1001 0+100000@7");
            List<DataText> again = DataText.all(f.sent());
            assertEquals(first.size(), again.size());
            for (int i = 0; i < first.size(); i++) {
                assertEquals(first.get(i).offset(), again.get(i).offset());
                assertEquals(first.get(i).bytes(), again.get(i).bytes());
            }
        }
    }

    @Test
    @Item(55)
    void rpcUnknownTurnsPortsAndIdAround() {
        try (EngineFixture f = new EngineFixture()) {
            f.receive("RESEND 500 40000>4000 0+100@7");
            List<EngineFixture.Sent> sent = f.sentPackets();
            assertEquals("RPC_UNKNOWN 501 4000>40000 @p7", sent.getFirst().text());
            assertEquals(28, sent.getFirst().bytes().length);
        }
    }

    @Test
    @Item(61)
    void startingOverUsesTheUnscheduledPriorityAndStopsAtWhatWasSent() {
        try (EngineFixture f = new EngineFixture()) {
            f.receive("CUTOFFS 77 v1 0,0,0,0,1000000,15000,2800,200");
            f.request(100_000);
            f.sent();
            f.receive("RPC_UNKNOWN 1001");
            List<DataText> sent = DataText.all(f.sent());
            assertEquals(40_000, sent.getLast().end());
            assertTrue(
                    sent.stream().allMatch(d -> d.isRetransmission() && d.priority() == 4 && d.incoming() == 40_000));
        }
    }
}
