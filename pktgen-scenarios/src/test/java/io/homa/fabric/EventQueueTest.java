package io.homa.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EventQueueTest {
    private record Event(long timeNs, int number) {}

    @Test
    void eventsComeByTimeAndThenInTheOrderInWhichTheyWereAdded() {
        EventQueue queue = new EventQueue();
        SplittableRandom random = new SplittableRandom(3);
        List<Event> waiting = new ArrayList<>();
        int number = 0;
        for (int round = 0; round < 20_000; round++) {
            if (waiting.isEmpty() || random.nextInt(5) < 3) {
                Event event = new Event(random.nextInt(500), number++);
                waiting.add(event);
                queue.add(event.timeNs, 1, 2, event.number);
            } else {
                Event first = waiting.stream()
                        .min(Comparator.comparingLong(Event::timeNs).thenComparingInt(Event::number))
                        .orElseThrow();
                waiting.remove(first);
                assertEquals(first, new Event(queue.firstTime(), (int) queue.firstValue()));
                assertEquals(1, queue.firstKind());
                assertEquals(2, queue.firstTarget());
                queue.removeFirst();
            }
            assertEquals(waiting.size(), queue.size());
        }
        assertTrue(number > 1_024, "the queue had to grow");
    }
}
