package io.homa;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.engine.CapturedScripts;
import io.homa.engine.EngineFuzz;
import io.homa.net.FrameFuzz;
import io.homa.testing.PcapFile;
import io.homa.wire.WireFuzz;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Coverage-guided fuzzing of every parser and of the engine, for some seconds, in a process of its own, with
/// inputs
/// made of the captures to begin with.
///
/// `-Dhoma.fuzz.seconds=N` makes it longer, `-Dhoma.fuzz.target=engine` (or `frames`, `text`, `wire`) keeps to one
/// target; see `docs/testing.md`. An input that fails stays in `target/fuzz`.
class FuzzTest {
    private static final int SECONDS = Integer.getInteger("homa.fuzz.seconds", 15);
    private static final String ALL = "all";
    private static final String TARGET = System.getProperty("homa.fuzz.target", ALL);
    /// For the start of a JVM that instruments itself, and the first look at all inputs, on a slow machine.
    private static final int START_SECONDS = 300;

    private static final Path CAPTURES = Path.of("src/test/resources/captures");
    private static final Path FINDINGS = Path.of("target", "fuzz").toAbsolutePath();
    private static final Pattern RUNS = Pattern.compile("Done (\\d+) runs");
    private static final Pattern COVERAGE = Pattern.compile("cov: (\\d+)");
    /// Behind the headers of Ethernet and IPv4.
    private static final int HOMA_START = 34;

    /// Frames of a capture that the parsers begin with; the rest look the same to them.
    private static final int FRAMES_PER_CAPTURE = 6;

    private static final List<String> TEXTS = List.of(
            "10.0.0.1:4000", "10.0.0.1/24", "fd77::1", "02:00:00:00:00:01", "virtio:/run/x.sock", "af_packet:eth0");

    @TempDir
    Path corpus;

    private int inputs;

    @Test
    void noInputBreaksAParserOrTheEngine() throws IOException, InterruptedException {
        Files.createDirectories(FINDINGS);
        writeCorpus();
        try (TestProcess fuzzer = start()) {
            String output = fuzzer.awaitSuccess(SECONDS + START_SECONDS);
            long runs = last(RUNS, output);
            long coverage = last(COVERAGE, output);
            System.out.println("fuzzing " + TARGET + ": " + inputs + " inputs made of captures, " + runs + " tried, "
                    + coverage + " places in the code reached");
            output.lines().filter(line -> line.startsWith("fuzzed ")).forEach(System.out::println);
            assertTrue(runs > inputs && coverage > 0, () -> "too little was tried: " + output);
        }
    }

    private TestProcess start() throws IOException {
        Class<?> target = switch (TARGET) {
            case ALL -> FuzzTargets.class;
            case "engine" -> EngineFuzz.class;
            case "frames" -> FrameFuzz.class;
            case "text" -> TextFuzz.class;
            case "wire" -> WireFuzz.class;
            default ->
                throw new IllegalArgumentException(
                        "homa.fuzz.target is '" + TARGET + "'; allowed are all, engine, frames, text and wire");
        };
        return TestProcess.start(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-ea",
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-XX:+EnableDynamicAgentLoading",
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED",
                "-Dhoma.memory.check=true",
                "-cp",
                System.getProperty("java.class.path"),
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + target.getName(),
                "--instrumentation_includes=io.homa.**",
                "--custom_hook_includes=io.homa.**",
                "--reproducer_path=" + FINDINGS,
                "-artifact_prefix=" + FINDINGS + "/",
                "-max_total_time=" + SECONDS,
                "-max_len=4096",
                "-rss_limit_mb=0", // that of the JVM is its own business; what the targets take is in the heap
                corpus.toString()));
    }

    private static long last(Pattern pattern, String output) {
        Matcher matcher = pattern.matcher(output);
        long last = 0;
        while (matcher.find()) {
            last = Long.parseLong(matcher.group(1));
        }
        return last;
    }

    /// Writes what fuzzing starts from: captured frames for the network layer, their inside for the codecs, whole
    /// conversations for the engine.
    private void writeCorpus() throws IOException {
        List<Path> captures;
        try (Stream<Path> files = Files.list(CAPTURES)) {
            captures =
                    files.filter(f -> f.toString().endsWith(".pcap")).sorted().toList();
        }
        for (Path capture : captures) {
            for (byte[] script : CapturedScripts.of(capture)) {
                add("engine", FuzzTargets.ENGINE, script);
            }
            for (PcapFile frame :
                    PcapFile.read(capture).stream().limit(FRAMES_PER_CAPTURE).toList()) {
                byte[] bytes = frame.bytes();
                add("frames", FuzzTargets.FRAMES, FrameFuzz.input(bytes));
                int from = Math.min(HOMA_START, bytes.length);
                add("wire", FuzzTargets.WIRE, Arrays.copyOfRange(bytes, from, bytes.length));
            }
        }
        for (String text : TEXTS) {
            add("text", FuzzTargets.TEXT, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private void add(String name, int target, byte[] bytes) throws IOException {
        if (TARGET.equals(ALL) || TARGET.equals(name)) {
            byte[] input = TARGET.equals(ALL) ? FuzzTargets.input(target, bytes) : bytes;
            Files.write(corpus.resolve(name + inputs++), input);
        }
    }
}
