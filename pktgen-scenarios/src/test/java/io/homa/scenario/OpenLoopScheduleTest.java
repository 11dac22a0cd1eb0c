package io.homa.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// In virtual time: requests are due by the clock, and a sender that falls behind is found out.
class OpenLoopScheduleTest {
    private static final long START_NS = 1_000_000_007L;

    private static OpenLoopSchedule started(double rate) {
        OpenLoopSchedule schedule = new OpenLoopSchedule(rate);
        schedule.start(START_NS);
        return schedule;
    }

    @Test
    void requestsAreDueAtEvenIntervalsHoweverLateTheyAreSent() {
        OpenLoopSchedule schedule = started(1_000);
        for (int i = 0; i < 10; i++) {
            assertEquals(START_NS + i * 1_000_000L, schedule.dueNs());
            schedule.onSent(schedule.dueNs() + i * 77_777L);
        }
        assertEquals(10, schedule.sent());
        assertEquals(9 * 77_777L, schedule.largestDelayNs());
    }

    @Test
    void nothingIsDueBeforeItsTime() {
        OpenLoopSchedule schedule = started(1_000);
        assertTrue(schedule.isDue(START_NS));
        schedule.onSent(START_NS);
        assertFalse(schedule.isDue(START_NS + 999_999));
        assertTrue(schedule.isDue(START_NS + 1_000_000));
    }

    @Test
    void rateThatDoesNotDivideASecondDoesNotDrift() {
        OpenLoopSchedule schedule = started(3);
        for (int i = 0; i < 3_000_000; i++) {
            schedule.onSent(schedule.dueNs());
        }
        assertTrue(Math.abs(schedule.dueNs() - START_NS - 1_000_000_000_000_000L) < 1_000);
    }

    @Test
    void scheduleThatIsKeptIsNotMissed() {
        OpenLoopSchedule schedule = started(10_000);
        for (int i = 0; i < 1_000; i++) {
            schedule.onSent(schedule.dueNs() + OpenLoopSchedule.TOLERANCE_NS);
        }
        assertEquals(0, schedule.late());
        assertFalse(schedule.isMissed(schedule.dueNs() - 1));
    }

    @Test
    void stallIsChargedToEveryRequestThatWaitedAndMissesTheSchedule() {
        OpenLoopSchedule schedule = started(10_000);
        long stallEndNs = START_NS + 10_000_000;
        for (int i = 0; i < 1_000; i++) {
            schedule.onSent(Math.max(schedule.dueNs(), stallEndNs));
        }
        // A hundred were due in these 10 ms; all but the last two waited for longer than 100 us.
        assertEquals(99, schedule.late());
        assertEquals(10_000_000, schedule.largestDelayNs());
        assertTrue(schedule.isMissed(schedule.dueNs() - 1));
    }

    @Test
    void requestsThatWereNeverSentMissTheSchedule() {
        OpenLoopSchedule schedule = started(10_000);
        for (int i = 0; i < 1_000; i++) {
            schedule.onSent(schedule.dueNs());
        }
        long laterNs = schedule.dueNs() + 50_000_000;
        assertEquals(501, schedule.unsent(laterNs));
        assertTrue(schedule.isMissed(laterNs));
    }

    @Test
    void startForgetsWhatWasBefore() {
        OpenLoopSchedule schedule = started(10_000);
        schedule.onSent(START_NS + 1_000_000_000);
        schedule.start(START_NS);
        assertEquals(0, schedule.sent());
        assertEquals(0, schedule.late());
        assertEquals(START_NS, schedule.dueNs());
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, 2e9})
    void impossibleRateIsRefused(double rate) {
        assertThrows(IllegalArgumentException.class, () -> new OpenLoopSchedule(rate));
    }
}
