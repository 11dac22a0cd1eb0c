package io.homa.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.scenario.Measurement;
import io.homa.scenario.RunResult;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// The whole of `demo`, short: two processes over virtio, then TCP, then the report.
@Timeout(120)
class DemoTest {
    @Test
    void bothProcessesExchangeVerifiedMessagesAndLeaveNothingBehind(@TempDir Path directory) throws Exception {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = HomaCommand.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        Path report = directory.resolve("report");
        int exitCode = line.execute(
                "demo", "--duration", "500ms", "--warmup", "200ms", "--messages", "500", "--report", report.toString());
        assertEquals(0, exitCode, err + "\n" + out);
        RunResult result = RunResult.parse(Files.readString(report.resolve("result.json")));
        assertTrue(result.valid(), result.invalidReasons().toString());
        assertTrue(result.integrity().isClean(), result.integrity().toString());
        // Each request and each response is checked: two messages for an RPC, each way.
        assertTrue(
                result.integrity().messages() >= 2 * 2 * 500, result.integrity().toString());
        Set<String> names = result.results().stream().map(Measurement::name).collect(Collectors.toSet());
        assertEquals(Set.of("homa", "tcp"), names);
        assertEquals(1, result.ratios().size());
        assertEquals(0, result.resources().mbufsLeaked());
        assertTrue(Files.readString(report.resolve("index.html")).contains("Homa beside kernel TCP"));
        assertTrue(out.toString().contains("integrity: "), out.toString());
        assertFalse(ProcessHandle.current().children().anyMatch(ProcessHandle::isAlive), "a process was left");
        try (var sockets = Files.list(RuntimeDirectory.get())) {
            String own = "demo-" + ProcessHandle.current().pid();
            assertFalse(sockets.anyMatch(p -> p.toString().contains(own)), "a socket was left");
        }
    }
}
