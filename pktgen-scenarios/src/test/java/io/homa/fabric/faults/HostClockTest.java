package io.homa.fabric.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostClockTest {
    @ParameterizedTest
    @ValueSource(ints = {-100_000, -37, 0, 1, 100_000})
    void driftsByItsRateAndFindsItsWayBack(int drift) {
        HostClock clock = new HostClock(123, drift);
        assertEquals(123 + 2_000_000_000L + 2_000L * drift, clock.localNs(2_000_000_000L));
        for (long timeNs = 1; timeNs < 3_000_000_000L; timeNs = timeNs * 3 + 1) {
            long localNs = clock.localNs(timeNs);
            long back = clock.timeNs(localNs);
            assertTrue(clock.localNs(back) >= localNs);
            assertTrue(Math.abs(back - timeNs) <= 2, back + " for " + timeNs);
        }
        assertEquals(Long.MAX_VALUE, clock.timeNs(Long.MAX_VALUE));
    }
}
