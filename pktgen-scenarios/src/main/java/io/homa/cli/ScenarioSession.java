package io.homa.cli;

import io.homa.scenario.FabricRun;
import io.homa.scenario.Scenario;
import io.homa.scenario.ScenarioResult;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ExitCode;

/// A scenario file's run on the command line, from progress bar to exit code.
final class ScenarioSession {
    private ScenarioSession() {}

    static int run(Scenario scenario, JsonOption json, Console console) {
        String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        long startNs = System.nanoTime();
        FabricRun.Outcome outcome = SimulatedRuns.run(scenario.name(), List.of(scenario.prepare()), console);
        long elapsedNs = System.nanoTime() - startNs;
        ScenarioResult result = new ScenarioResult(scenario, outcome);
        if (!json.isStandardOutput()) {
            console.print(result.table());
            console.print(String.format(
                    Locale.ROOT,
                    "%,d events in %.1f s: %,.0f events per second of one core",
                    outcome.events(),
                    elapsedNs / 1e9,
                    outcome.events() * 1e9 / Math.max(1, outcome.cpuNs())));
        }
        json.write(result.toJson(started, elapsedNs), console);
        result.failures().forEach(failure -> console.note("FAILED " + failure));
        result.invalidReasons().forEach(reason -> console.note("INVALID " + reason));
        return result.failures().isEmpty() && result.invalidReasons().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
    }
}
