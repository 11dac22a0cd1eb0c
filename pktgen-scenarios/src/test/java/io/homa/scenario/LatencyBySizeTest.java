package io.homa.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.homa.SizeClass;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Times land in the class of their size, and come through the text that crosses processes unchanged.
class LatencyBySizeTest {
    @ParameterizedTest
    @CsvSource({
        "1, TINY",
        "100, TINY",
        "101, SMALL",
        "1000, SMALL",
        "1001, ONE_PACKET",
        "1424, ONE_PACKET",
        "1425, MEDIUM",
        "10000, MEDIUM",
        "10001, UNSCHEDULED",
        "40000, UNSCHEDULED",
        "40001, LARGE",
        "100000, LARGE",
        "100001, HUGE",
        "1000000, HUGE"
    })
    void sizeBelongsToItsClass(int size, SizeClass expected) {
        LatencyBySize latency = new LatencyBySize();
        latency.record(size, 5_000);
        assertEquals(1, latency.of(expected).getTotalCount());
        assertEquals(1, latency.all().getTotalCount());
    }

    @Test
    void timesOutsideTheRangeAreKeptAtItsEnds() {
        LatencyBySize latency = new LatencyBySize();
        latency.record(1, -5);
        latency.record(1, Long.MAX_VALUE);
        assertEquals(2, latency.all().getTotalCount());
        assertEquals(1, latency.all().getMinValue());
    }

    @Test
    void measurementsNameClassesByTheirLargestSizeAndEndWithAll() {
        LatencyBySize latency = new LatencyBySize();
        latency.record(50, 1_000);
        latency.record(5_000, 2_000);
        List<Measurement> list = latency.measurements("homa", 4);
        assertEquals(3, list.size());
        assertEquals(100, list.get(0).size());
        assertEquals(10_000, list.get(1).size());
        assertNull(list.get(2).size());
        assertEquals(2, list.get(2).count());
    }

    @Test
    void summaryComesThroughTextUnchanged() {
        LatencyBySize latency = new LatencyBySize();
        for (int i = 1; i < 10_000; i++) {
            latency.record(i * 100, i * 37L);
        }
        ExchangeSummary summary = new ExchangeSummary(1, 2, 3, 4, 5, new IntegrityCount(6, 7, 8, 9, 10), latency);
        ExchangeSummary read = ExchangeSummary.parse(summary.toText());
        assertEquals(summary.toText(), read.toText());
        assertEquals(summary.integrity(), read.integrity());
        for (SizeClass sizeClass : SizeClass.values()) {
            assertEquals(latency.of(sizeClass), read.latency().of(sizeClass));
        }
        assertEquals(latency.all(), read.latency().all());
    }

    @Test
    void requestsThatWereServedMoreOftenThanSentAreDuplicates() {
        LatencyBySize none = new LatencyBySize();
        ExchangeSummary alice = new ExchangeSummary(0, 0, 12, 10, 0, IntegrityCount.NONE, none);
        ExchangeSummary bob = new ExchangeSummary(0, 0, 10, 10, 0, IntegrityCount.NONE, none);
        assertEquals(2, alice.plus(bob).integrity().duplicated());
        assertEquals(2, bob.plus(alice).integrity().duplicated());
    }
}
