package io.homa.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DelayLineTest {
    @Test
    void eventsComeInOrderAfterTheDelayAlsoWhenTheRingGrows() {
        EventQueue order = new EventQueue();
        DelayLine line = new DelayLine(order, 250);
        int next = 0;
        int expected = 0;
        for (int round = 0; round < 3_000; round++) {
            line.add(round, next, 7L * next++);
            line.add(round, next, 7L * next++);
            assertEquals(expected / 2 + 250, line.firstTime());
            assertEquals(expected, line.firstTarget());
            assertEquals(7L * expected, line.firstValue());
            assertEquals(expected++, line.firstOrder());
            line.removeFirst();
        }
        while (line.firstTime() != DelayLine.NEVER) {
            assertEquals(expected++, line.firstTarget());
            line.removeFirst();
        }
        assertEquals(next, expected);
        assertTrue(order.isEmpty());
    }
}
