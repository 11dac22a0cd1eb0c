package io.homa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class HandleRingTest {
    @Test
    void fullRingRefuses() {
        HandleRing ring = new HandleRing(4);
        for (int i = 0; i < 4; i++) {
            assertTrue(ring.offer(i, 0, 0, 0, 0, 0, 0));
        }
        assertFalse(ring.offer(9, 0, 0, 0, 0, 0, 0));
        assertTrue(ring.peek());
        assertEquals(0, ring.get(0));
        ring.advance();
        assertTrue(ring.offer(4, 0, 0, 0, 0, 0, 0));
        for (int i = 1; i <= 4; i++) {
            assertTrue(ring.peek());
            assertEquals(i, ring.get(0));
            ring.advance();
        }
        assertFalse(ring.peek());
    }

    @Test
    @Timeout(60)
    void twoProducersLoseAndTearNothing() throws InterruptedException {
        int records = 300_000;
        HandleRing ring = new HandleRing(64);
        Thread[] producers = new Thread[2];
        for (int p = 0; p < producers.length; p++) {
            int id = p;
            producers[p] = Thread.ofPlatform().start(() -> {
                for (long i = 0; i < records; i++) {
                    while (!ring.offer(id, i, i * 3, i * 5, i * 7, i * 11, ~i)) {
                        Thread.yield();
                    }
                }
            });
        }
        long[] next = new long[producers.length];
        while (next[0] + next[1] < 2L * records) {
            if (!ring.peek()) {
                Thread.yield();
                continue;
            }
            int id = (int) ring.get(0);
            long i = ring.get(1);
            assertEquals(next[id]++, i);
            assertEquals(i * 3 + i * 5 + i * 7 + i * 11, ring.get(2) + ring.get(3) + ring.get(4) + ring.get(5));
            assertEquals(~i, ring.get(6));
            ring.advance();
        }
        for (Thread producer : producers) {
            producer.join();
        }
    }
}
