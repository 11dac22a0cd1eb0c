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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/// Arguments, exit codes and what goes to which stream.
@Timeout(120)
class CommandLineTest {
    private record Outcome(int exitCode, String out, String err) {}

    private static Outcome run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = HomaCommand.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        int exitCode = line.execute(arguments);
        return new Outcome(exitCode, out.toString(), err.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bogus | 'bogus' | Try 'homa --help'",
                "ping --bogus | '--bogus' | Try 'homa ping --help'",
                "ping --size 0 | '--size': 0 | 1 to 1000000",
                "ping --size 100,1000001 | '--size': 1000001 | 1 to 1000000",
                "ping --size x | '--size' | x",
                "ping --count 0 | '--count': 0 | allowed are 1 to",
                "ping --count 5 --duration 3s | --count and --duration | exclude",
                "ping --rate 0 | '--rate': 0 | allowed are above 0",
                "ping --outstanding 5000 | '--outstanding': 5000 | 1 to 4096",
                "ping --duration 3 | '--duration': '3' | such as 10s",
                "ping --duration 0s | '--duration': '0s' | above 0 to 24h",
                "ping 10.0.0.1 | HOST:PORT | such as 10.0.0.2:4000",
                "ping --device foo:bar | '--device': device 'foo:bar' | virtio:<socket path>",
                "ping --mtu 575 | '--mtu': 575 | 576 to 9000",
                "ping --core 5000 | '--core': 5000 | allowed are",
                "ping --idle sleep | '--idle' | SPIN",
                "ping --mac 1 | '--mac' | 1",
                "ping --neighbor 10.0.0.2=zz | '--neighbor': 10.0.0.2=zz | 02:00:0a:00:00:02",
                "ping --address 10.0.0.1 | '--address': '10.0.0.1' | such as 10.0.0.1/24",
                "server --port 0 | '--port': 0 | 1 to 32767",
                "server --port 40000 | '--port': 40000 | 1 to 32767",
                "demo --workload W9 | '--workload': no workload 'W9' | W1 to W5",
                "demo --outstanding 0 | '--outstanding': 0 | 1 to 256",
                "demo --mtu 9001 | '--mtu': 9001 | 576 to 9000",
                "demo --cores 0 | '--cores': [0] | two CPUs",
                "demo --cores 0,5000 | '--cores': 5000 | CPUs"
            })
    void wrongArgumentNamesOptionValueAndWhatIsAllowed(String arguments, String names, String allowed) {
        Outcome outcome = run(arguments.split(" "));
        assertEquals(2, outcome.exitCode(), outcome.err());
        assertTrue(outcome.err().startsWith("homa: "), outcome.err());
        assertTrue(outcome.err().contains(names), outcome.err());
        assertTrue(outcome.err().contains(allowed), outcome.err());
        assertEquals("", outcome.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "ping --help", "server --help", "demo --help", "help ping"})
    void helpIsPrintedEverywhere(String arguments) {
        Outcome outcome = run(arguments.split(" "));
        assertEquals(0, outcome.exitCode());
        assertTrue(outcome.out().contains("Usage: homa"), outcome.out());
        assertEquals("", outcome.err());
    }

    @Test
    void helpListsEveryCommandAndWhatTheLauncherDoes() {
        String help = run().out();
        for (String command : List.of("demo", "server", "ping", "setup", "test")) {
            assertTrue(help.contains("  " + command + " "), command + " is missing in " + help);
        }
        assertFalse(help.contains("demo-peer"), help);
    }

    @Test
    void missingSocketIsOneMessageAfterTheWait(@TempDir Path directory) {
        Outcome outcome = run("ping", "--wait", "100ms", "--device", "virtio:" + directory.resolve("none.sock"));
        assertEquals(1, outcome.exitCode());
        assertTrue(outcome.err().contains("no socket " + directory.resolve("none.sock")), outcome.err());
        assertTrue(outcome.err().contains("./homa server --device vhost:"), outcome.err());
        assertFalse(outcome.err().contains("\tat "), outcome.err());
        assertEquals("", outcome.out());
    }

    @Test
    void pingOnTheLoopbackDeviceMeasuresEverySize(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("result.json");
        Outcome outcome = run(
                "ping", "--device", "ring:", "--size", "1,1425,1000000", "--count", "20", "--json", file.toString());
        assertEquals(0, outcome.exitCode(), outcome.err());
        assertTrue(outcome.out().contains("p99.9") && outcome.out().contains("1000000 B"), outcome.out());
        RunResult result = RunResult.parse(Files.readString(file));
        assertTrue(result.valid());
        assertTrue(result.integrity().isClean());
        assertEquals(0, result.resources().mbufsLeaked());
        List<Integer> sizes = new ArrayList<>();
        for (Measurement m : result.results()) {
            if (m.isRttOfSize()) {
                sizes.add(m.size());
                assertEquals(20, m.count());
            }
        }
        assertEquals(List.of(1, 1_425, 1_000_000), sizes);
    }

    @Test
    void jsonOnStandardOutputStandsAlone() {
        Outcome outcome = run("ping", "--device", "ring:", "--count", "20", "--rate", "2000", "--json", "-");
        RunResult result = RunResult.parse(outcome.out());
        assertEquals("ping", result.command());
        assertEquals("ring:", result.machine().device());
        assertEquals(20, result.results().getFirst().count());
    }

    @Test
    void lostFramesAreRecovered() {
        Outcome outcome = run(
                "ping", "--device", "ring:", "--loss", "0.01", "--size", "100,40001", "--count", "200", "--json", "-");
        RunResult result = RunResult.parse(outcome.out());
        assertEquals(0, outcome.exitCode(), outcome.err());
        assertTrue(result.integrity().isClean(), result.integrity().toString());
    }

    @Test
    void pingToAHostThatDoesNotAnswerSaysSo() {
        Outcome outcome = run("ping", "10.0.0.77:4000", "--device", "ring:", "--count", "5");
        assertEquals(1, outcome.exitCode());
        assertTrue(outcome.err().contains("does not answer ARP"), outcome.err());
        assertFalse(outcome.err().contains("\tat "), outcome.err());
    }

    @Test
    void unwritableJsonFileFailsWithOneMessage() {
        Outcome outcome = run("ping", "--device", "ring:", "--count", "5", "--json", "/nonexistent/x.json");
        assertEquals(1, outcome.exitCode());
        assertTrue(outcome.err().contains("--json: cannot write '/nonexistent/x.json'"), outcome.err());
    }

    @Test
    void socketsLieInADirectoryOfTheUserOnly(@TempDir Path directory) {
        assertEquals(directory.resolve("homa"), RuntimeDirectory.choose(directory.toString(), "/tmp"));
        Path fallback = Path.of("/tmp/homa-" + System.getProperty("user.name"));
        assertEquals(fallback, RuntimeDirectory.choose(null, "/tmp"));
        assertEquals(fallback, RuntimeDirectory.choose("/nonexistent", "/tmp"));
        assertEquals(fallback, RuntimeDirectory.choose("/" + "x".repeat(100), "/tmp"));
    }
}
