package io.homa.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.testing.FuzzInput;
import io.homa.testing.GuardedPool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// One engine lives through any number of fuzzed packets: captured conversations, changed at random. Now and then
/// everything is let come to its end, and then nothing may be left; the heap must not grow.
///
/// `-Dhoma.fuzz.packets=10000000` makes the run longer, `-Dhoma.fuzz.seed=N` different.
class FuzzedPacketsTest {
    private static final long PACKETS = Long.getLong("homa.fuzz.packets", 300_000);
    private static final long SEED = Long.getLong("homa.fuzz.seed", 1);
    private static final Path CAPTURES = Path.of("src/test/resources/captures");
    /// Inputs between two ends of everything.
    private static final int INPUTS_PER_LIFE = 64;

    /// Heap that the JVM may take for itself (code, statistics) while the engine takes none.
    private static final long TOLERATED_BYTES = 1_000_000;

    private static final int MAX_CHANGES = 12;

    @Test
    void anEngineBearsAnyPacketsAndDoesNotGrow() throws IOException {
        List<byte[]> scripts = scripts();
        SplittableRandom random = new SplittableRandom(SEED);
        try (GuardedPool pool = new GuardedPool(256, 1_600);
                FuzzedEngine host = new FuzzedEngine(pool, 0)) {
            live(host, scripts, random, PACKETS / 10);
            long heapBefore = usedHeap();
            long startNs = System.nanoTime();
            long before = host.received();
            live(host, scripts, random, PACKETS);
            double seconds = (System.nanoTime() - startNs) / 1e9;
            long heapAfter = usedHeap();
            System.out.printf(
                    "fuzzed packets: %,d through one engine, seed %d, %,.0f per second; heap %,d bytes before, "
                            + "%,d after%n",
                    host.received(), SEED, (host.received() - before) / seconds, heapBefore, heapAfter);
            assertTrue(heapAfter - heapBefore < TOLERATED_BYTES, "heap grew");
            allKindsHappened(host.counters);
        }
    }

    private static List<byte[]> scripts() throws IOException {
        List<byte[]> scripts = new ArrayList<>();
        try (Stream<Path> files = Files.list(CAPTURES)) {
            for (Path file :
                    files.filter(f -> f.toString().endsWith(".pcap")).sorted().toList()) {
                scripts.addAll(CapturedScripts.of(file));
            }
        }
        return scripts;
    }

    private static void live(FuzzedEngine host, List<byte[]> scripts, SplittableRandom random, long packets) {
        while (host.received() < packets) {
            for (int i = 0; i < INPUTS_PER_LIFE; i++) {
                byte[] script = scripts.get(random.nextInt(scripts.size()));
                host.run(new FuzzInput(changed(script, scripts, random)));
            }
            host.drain();
        }
    }

    /// Changes bytes, takes pieces out and puts pieces of others or random ones in.
    private static byte[] changed(byte[] script, List<byte[]> scripts, SplittableRandom random) {
        byte[] bytes = Arrays.copyOfRange(script, 1, script.length);
        for (int changes = random.nextInt(MAX_CHANGES); changes > 0; changes--) {
            int at = random.nextInt(bytes.length);
            int length = Math.min(1 + random.nextInt(64), bytes.length - at);
            switch (random.nextInt(5)) {
                case 0 -> bytes[at] = (byte) random.nextInt(256);
                case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 2 -> System.arraycopy(bytes, at + length, bytes, at, bytes.length - at - length);
                case 3 -> {
                    byte[] other = scripts.get(random.nextInt(scripts.size()));
                    int from = random.nextInt(other.length);
                    System.arraycopy(other, from, bytes, at, Math.min(length, other.length - from));
                }
                default -> {
                    byte[] piece = new byte[length];
                    random.nextBytes(piece);
                    System.arraycopy(piece, 0, bytes, at, length);
                }
            }
        }
        return bytes;
    }

    private static long usedHeap() {
        Runtime runtime = Runtime.getRuntime();
        System.gc();
        System.gc();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /// The run means something only if it got everywhere.
    private static void allKindsHappened(Counters counters) {
        for (Counter counter : List.of(
                Counter.REQUESTS_RECEIVED,
                Counter.RESPONSES_RECEIVED,
                Counter.RESPONSES_SENT,
                Counter.RPCS_FAILED,
                Counter.GRANTS_SENT,
                Counter.GRANTS_RECEIVED,
                Counter.RESENDS_SENT,
                Counter.RESENDS_RECEIVED,
                Counter.ACKS_SENT,
                Counter.NEED_ACKS_SENT,
                Counter.CUTOFFS_SENT,
                Counter.SERVER_RPCS_DISCARDED,
                Counter.DROPPED_MALFORMED,
                Counter.DROPPED_DUPLICATE,
                Counter.DROPPED_UNKNOWN_RPC,
                Counter.DROPPED_WRONG_SOURCE,
                Counter.DROPPED_WRONG_STATE,
                Counter.DROPPED_TOMBSTONE,
                Counter.DROPPED_NO_RPC_SLOT,
                Counter.DROPPED_NO_PEER_SLOT,
                Counter.DROPPED_NO_MEMORY,
                Counter.DROPPED_NO_GAP_SLOT)) {
            assertTrue(counters.get(counter) > 0, () -> counter + " never happened");
        }
    }
}
