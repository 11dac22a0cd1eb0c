package io.homa.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.scenario.RunResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/// `ping` against `server` in a process of its own, over the devices that need no rights.
@Timeout(120)
class ServerPingTest {
    /// Small enough for what DPDK got when the first test of this process started it.
    private static final String POOL = "16384";

    private static Process startServer(String device, String mtu) throws IOException {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-cp"));
        line.add(System.getProperty("java.class.path"));
        line.addAll(
                List.of(HomaCommand.class.getName(), "server", "--device", device, "--mtu", mtu, "--idle", "yield"));
        return new ProcessBuilder(line)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {"vhost:%s virtio:%s 1500", "vhost:%s virtio:%s 9000", "memif:%s,role=server memif:%s 1500"})
    void everySizeIsEchoedAndTheServerEndsWhenTold(
            String serverDevice, String clientDevice, String mtu, @TempDir Path directory) throws Exception {
        String socket = directory.resolve("s").toString();
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = HomaCommand.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        Process server = startServer(serverDevice.formatted(socket), mtu);
        try (BufferedReader serverOut = server.inputReader(StandardCharsets.UTF_8)) {
            String[] arguments = {
                "ping",
                "10.0.0.1:4000",
                "--device",
                clientDevice.formatted(socket),
                "--mtu",
                mtu,
                "--pool",
                POOL,
                "--idle",
                "yield",
                "--size",
                "1,100,1424,1425,40000,40001,500000,1000000",
                "--count",
                "5",
                "--json",
                "-"
            };
            int exitCode = line.execute(arguments);
            assertEquals(0, exitCode, err + "\n" + out);
            RunResult result = RunResult.parse(out.toString());
            assertTrue(result.integrity().isClean(), result.integrity().toString());
            assertEquals(0, result.resources().mbufsLeaked());
            // Not by the process itself, which would close its output.
            server.toHandle().destroy();
            assertTrue(server.waitFor(20, TimeUnit.SECONDS), "the server did not end");
            List<String> lines = serverOut.lines().toList();
            assertTrue(lines.getFirst().startsWith("serving 10.0.0.1:4000 on "), lines.toString());
            assertTrue(lines.getLast().startsWith("answered "), lines.toString());
        } finally {
            server.destroyForcibly();
        }
    }
}
