package io.homa.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.homa.scenario.BuiltInScenarios;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

@Timeout(600)
class ScenarioCommandTest {
    private static final String SMALL = """
            name: small
            fabric: {hosts: 8, link: 25Gbps}
            traffic:
              - {pattern: poisson, workload: W1, load: 30%}
            duration: 200us
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

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

    private Outcome runFile(String text, String... options) throws IOException {
        Path file = Files.writeString(directory.resolve("a.yaml"), text);
        String[] all = new String[options.length + 3];
        all[0] = "scenario";
        all[1] = "run";
        all[2] = file.toString();
        System.arraycopy(options, 0, all, 3, options.length);
        return run(all);
    }

    /// Bounds are wide enough for the little time; a wrong priority, delay or load is outside.
    @Test
    void smokeRunComesNearThePublishedCurve() throws IOException {
        Outcome outcome = run("scenario", "run", "sigcomm18", "--workload", "W3", "--json", "-");
        assertEquals(0, outcome.exitCode(), outcome.err());
        JsonNode json = new ObjectMapper().readTree(outcome.out());
        assertTrue(json.at("/valid").asBoolean(), outcome.out());
        assertTrue(json.at("/deviation/sizes").asInt() >= 40, "sizes: " + json.at("/deviation"));
        assertTrue(json.at("/deviation/p50").asDouble(1) < 0.06, "deviation: " + json.at("/deviation"));
        assertTrue(json.at("/deviation/p99").asDouble(1) < 0.08, "deviation: " + json.at("/deviation"));
    }

    static List<String> builtIns() {
        return BuiltInScenarios.NAMES;
    }

    @ParameterizedTest
    @MethodSource("builtIns")
    void builtInMeetsItsExpectations(String name) throws IOException {
        Outcome outcome = run("scenario", "run", name, "--json", "-");
        assertEquals(0, outcome.exitCode(), outcome.err());
        JsonNode json = new ObjectMapper().readTree(outcome.out());
        assertTrue(json.at("/valid").asBoolean(), outcome.out());
        assertEquals(name, json.at("/scenario").asText());
        assertEquals(0, json.at("/integrity/lost").asInt(), outcome.out());
        assertTrue(json.at("/simulation/packets").asLong() > 0, outcome.out());
    }

    @Test
    void listNamesAllAndShowPrintsAFileThatRuns() throws IOException {
        Outcome list = run("scenario", "list");
        assertEquals(0, list.exitCode(), list.err());
        BuiltInScenarios.NAMES.forEach(name -> assertTrue(list.out().contains(name), name));
        Outcome show = run("scenario", "show", "loss");
        assertEquals(0, runFile(show.out(), "--duration", "500us").exitCode());
        assertEquals(2, run("scenario", "show", "bogus").exitCode());
    }

    @Test
    void sameSeedGivesTheSameFigures() throws IOException {
        String first = figures(runFile(SMALL, "--json", "-"));
        assertEquals(first, figures(runFile(SMALL, "--json", "-")));
        assertTrue(!first.equals(figures(runFile(SMALL, "--json", "-", "--seed", "2"))), first);
    }

    private static String figures(Outcome outcome) throws IOException {
        return new ObjectMapper().readTree(outcome.out()).at("/results").toString();
    }

    @Test
    void failedExpectationIsExitCode1AndSaysByHowMuch() throws IOException {
        Outcome good = runFile(SMALL + "expect: [{metric: lost_rpcs, at_most: 0}]\n");
        assertEquals(0, good.exitCode(), good.err());
        Outcome bad = runFile(SMALL + "expect: [{metric: goodput_gbps, of: poisson, at_least: 100000}]\n");
        assertEquals(1, bad.exitCode());
        assertTrue(bad.err().contains("a.yaml:6: goodput_gbps of poisson is "), bad.err());
        assertTrue(bad.err().contains("below at_least 100000.000 by "), bad.err());
    }

    @Test
    void faultsHappenAndEveryMessageStillArrives() throws IOException {
        Outcome outcome = runFile(SMALL + "faults: {drop: 1%, reorder: 2%, duplicate: 1%}\n"
                + "expect: [{metric: lost_rpcs, at_most: 0}, {metric: unfinished, at_most: 0}]\n");
        assertEquals(0, outcome.exitCode(), outcome.err());
        assertTrue(
                outcome.out()
                        .matches("(?s).*faults: [1-9]\\d* packets dropped, [1-9]\\d* reordered,"
                                + " [1-9]\\d* duplicated.*"),
                outcome.out());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "link: 25Gbps | link: 25 | :2: link: '25' is wrong | 25Gbps",
                "hosts: 8 | hosts: 1 | :2: hosts: '1' is wrong | 2 to 10000",
                "pattern: poisson | pattern: bogus | :4: pattern: 'bogus' is wrong | poisson, incast",
                "workload: W1 | workload: W9 | :4: workload: no workload 'W9' | W1 to W5",
                "load: 30% | load: 0% | :4: load: | above 0%",
                "load: 30% | load: 130% | :4: load: | 0% to 100%",
                "load: 30% | loud: 30% | :4: 'load' is missing | load",
                "duration: 200us | durations: 200us | :5: unknown key 'durations' | name, description",
                "duration: 200us | duration: 200 | :5: duration: '200' is wrong | 10us",
                "name: small | name: [ | not YAML | a.yaml:",
                "hosts: 8 | hosts: 8, topology: ring | :2: topology: 'ring' | single-switch, leaf-spine"
            })
    void wrongFileNamesLineAndWhatIsAllowed(String good, String bad, String names, String allowed) throws IOException {
        Outcome outcome = runFile(SMALL.replace(good, bad));
        assertEquals(2, outcome.exitCode(), outcome.err());
        assertTrue(outcome.err().contains(names), outcome.err());
        assertTrue(outcome.err().contains(allowed), outcome.err());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "scenario run bogus | no scenario 'bogus' | incast",
                "scenario run bogus.yaml | no file 'bogus.yaml' | bogus",
                "scenario run incast --on moon | '--on': 'moon' | simulated",
                "scenario run sigcomm18 --workload W6 | '--workload': 'W6' | W1 to W5",
                "scenario run sigcomm18 --load 0 | '--load': 0 | 1 to 99",
                "scenario run sigcomm18 --preset long | '--preset' | SMOKE"
            })
    void wrongOptionIsExitCode2(String arguments, String names, String allowed) {
        Outcome outcome = run(arguments.split(" ", -1));
        assertEquals(2, outcome.exitCode(), outcome.err());
        assertTrue(outcome.err().contains(names), outcome.err());
        assertTrue(outcome.err().contains(allowed), outcome.err());
    }
}
