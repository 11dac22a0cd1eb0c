package io.homa.dpdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Builds the shim with address and undefined-behaviour sanitizers and runs its self-test.
class NativeSelfTest {
    private static final Path NATIVE = Path.of("..", "native").toAbsolutePath().normalize();

    @Test
    void shimIsCleanUnderSanitizers() throws Exception {
        assertEquals("", run(List.of("make", "--silent", "BUILD=target/sanitize", "sanitize")));
        String output = run(List.of(NATIVE.resolve("target/sanitize/self-test").toString()));
        assertTrue(output.contains("all checks held"), output);
    }

    private static String run(List<String> command) throws IOException, InterruptedException {
        Path log = Files.createTempFile("self-test", ".log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(NATIVE.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        // DPDK keeps some memory until the process ends, which is not a leak of ours.
        builder.environment().putAll(Map.of("ASAN_OPTIONS", "detect_leaks=0", "LC_ALL", "C"));
        Process process = builder.start();
        assertTrue(process.waitFor(3, TimeUnit.MINUTES), "does not end: " + command);
        String output = Files.readString(log);
        Files.delete(log);
        assertEquals(0, process.exitValue(), output);
        return output;
    }
}
