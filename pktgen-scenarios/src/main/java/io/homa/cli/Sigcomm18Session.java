package io.homa.cli;

import io.homa.scenario.FabricRun;
import io.homa.scenario.Sigcomm18;
import io.homa.scenario.Sigcomm18Result;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ExitCode;

/// A `sigcomm18` run of the command line, from progress bar to exit code.
final class Sigcomm18Session {
    private final Sigcomm18 setup;
    private final String preset;
    private final int runs;
    private final JsonOption json;
    private final Console console;

    Sigcomm18Session(Sigcomm18 setup, String preset, int runs, JsonOption json, Console console) {
        this.setup = setup;
        this.preset = preset;
        this.runs = runs;
        this.json = json;
        this.console = console;
    }

    int run() {
        String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        List<FabricRun> all = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
            all.add(FabricRun.of(setup.withSeed(setup.seed() + i)));
        }
        long startNs = System.nanoTime();
        FabricRun.Outcome outcome = SimulatedRuns.run(setup.workload(), all, console);
        long elapsedNs = System.nanoTime() - startNs;
        Sigcomm18Result result = new Sigcomm18Result(setup, preset, runs, outcome);
        if (!json.isStandardOutput()) {
            print(result, outcome, elapsedNs);
        }
        json.write(result.toJson(started, elapsedNs), console);
        return result.isValid() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private void print(Sigcomm18Result result, FabricRun.Outcome outcome, long elapsedNs) {
        console.print(result.table());
        console.print(String.format(
                Locale.ROOT,
                "%,d events, %,d packets in %.1f s: %,.0f events per second of one core",
                outcome.events(),
                outcome.packets(),
                elapsedNs / 1e9,
                result.eventsPerCoreSecond()));
        for (String reason : result.invalidReasons()) {
            console.print("INVALID: " + reason);
        }
    }
}
