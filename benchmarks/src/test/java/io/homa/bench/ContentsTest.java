package io.homa.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.bench.load.Contents;
import io.homa.bench.load.Flow;
import io.homa.bench.load.Load;
import io.homa.bench.load.LoadGenerator;
import io.homa.bench.load.LoadResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Messages of benchmarks are checked, and the generator counts what comes back.
class ContentsTest {
    @ParameterizedTest
    @ValueSource(ints = {8, 9, 100, 8_192, 60_000, 1_000_000})
    void everyByteBehindTheHeaderIsChecked(int length) {
        byte[] message = new byte[length];
        Contents.writeMessage(message, 7, 42);
        assertEquals(7, Contents.getInt(message, 0));
        assertEquals(42, Contents.getInt(message, 4));
        assertTrue(Contents.isIntact(message));
        for (int at = Contents.HEADER_BYTES; at < length; at += Math.max(1, length / 50)) {
            message[at] ^= 1;
            assertFalse(Contents.isIntact(message), "byte " + at);
            message[at] ^= 1;
        }
    }

    @Test
    void generatorCountsWhatIsAnswered() throws InterruptedException {
        LoadGenerator generator = new LoadGenerator(Load.of(Load.Kind.RATE, Flow.echo(100, 4), 5, 20));
        int[] waiting = new int[4];
        int[] count = {0};
        while (!generator.isDone()) {
            for (int i = 0; i < count[0]; i++) {
                generator.onResponse(waiting[i], true);
            }
            count[0] = 0;
            generator.onCycle((slot, _, _) -> {
                waiting[count[0]++] = slot;
                return true;
            });
        }
        LoadResult result = LoadResult.parse(generator.await().toJson());
        assertTrue(result.flows().getFirst().count() > 0);
        assertTrue(result.rpcs() >= result.flows().getFirst().count());
        assertEquals(0, result.flows().getFirst().lost());
        assertEquals(0, result.flows().getFirst().corrupt());
    }
}
