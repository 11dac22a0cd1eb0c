package io.homa.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.homa.engine.EngineConfig;
import io.homa.engine.TimerConfig;
import io.homa.replay.Capture.Frame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every conversation of the captures, with this engine in the place of the client and in that of the server.
class CaptureReplayTest {
    private static final Path CAPTURES = Path.of("src/test/resources/captures");
    private static final Map<Permitted, Integer> PERMITTED = new EnumMap<>(Permitted.class);
    /// RPCs with DATA in the captures, by file and id, counted by another program.
    private static final int CONVERSATIONS = 443;

    private static int conversations;

    static Stream<Path> captures() throws IOException {
        try (Stream<Path> files = Files.list(CAPTURES)) {
            return files.filter(f -> f.toString().endsWith(".pcap")).sorted().toList().stream();
        }
    }

    private static EngineConfig config(String name) {
        TimerConfig timers;
        if (name.contains("defaults") || name.matches("first-contact.*|echo-(12|1424|1425|5000)|.*unbound-port")) {
            timers = new TimerConfig(1_000_000, 5, 5, 100, 2, 10);
        } else if (name.matches("kernel-homa-main-(loss|reorder|duplicate).*")) {
            timers = new TimerConfig(1_000_000, 60, 60, 2_000, 30, 10);
        } else if (name.startsWith("kernel-homa-")) {
            timers = new TimerConfig(1_000_000, 200, 200, 2_000, 30, 10);
        } else {
            timers = new TimerConfig(1_000_000, 40, 40, 1_500, 2, 10);
        }
        return EngineConfig.DEFAULT.withLinkBitsPerSecond(0).withTimers(timers);
    }

    @ParameterizedTest
    @MethodSource("captures")
    void ourClientAnswersAsTheKernels(Path file) throws IOException {
        replay(file, true);
    }

    @ParameterizedTest
    @MethodSource("captures")
    void ourServerAnswersAsTheKernels(Path file) throws IOException {
        replay(file, false);
    }

    private static void replay(Path file, boolean client) throws IOException {
        Capture capture = Capture.read(file);
        List<Frame> deliveries = Forwarder.deliveries(capture, CAPTURES, client);
        try (ReplayHost host = new ReplayHost(capture, client, config(capture.name()))) {
            host.play(deliveries);
            List<String> differences = new ArrayList<>(Comparison.compareCutoffs(capture, client, host));
            for (long rpc : capture.conversations()) {
                Comparison comparison = new Comparison(capture, client, deliveries, host, rpc).compare();
                differences.addAll(comparison.differences);
                comparison.permitted.forEach((what, count) -> PERMITTED.merge(what, count, Integer::sum));
                conversations++;
            }
            assertEquals(0, host.lateResponses, "responses that were due before their requests were there");
            assertEquals("", String.join("\n", differences));
        }
    }

    /// Runs last: each of the conversations that tcpdump shows was there for both roles.
    @AfterAll
    static void countConversations() {
        StringBuilder report = new StringBuilder().append(conversations).append(" conversations of kernels replayed\n");
        PERMITTED.forEach((what, count) -> report.append(String.format("%6d times: %s%n", count, what.why)));
        System.out.print(report);
        assertEquals(2 * CONVERSATIONS, conversations);
    }
}
