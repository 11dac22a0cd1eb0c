package io.homa.cli;

import io.homa.scenario.BuiltInScenarios;
import io.homa.scenario.Scenario;
import io.homa.scenario.ScenarioException;
import io.homa.scenario.Sigcomm18;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `homa scenario run`.
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Runs a scenario in virtual time.",
            "sigcomm18 is the simulation of the SIGCOMM 2018 paper: 144 hosts, and the published slowdowns beside ours."
        },
        footer = {"", "Example:  ./homa scenario run sigcomm18 --workload W3 --preset smoke"})
final class ScenarioRunCommand implements Callable<Integer> {
    static final String PAPER = "sigcomm18";
    static final String OVERCOMMIT = "overcommit";
    private static final String SIMULATED = "simulated";

    /// Packets and rules of a `sigcomm18` run.
    enum Rules {
        PAPER,
        KERNEL
    }

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything runs
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private final JsonOption json = new JsonOption();

    @Parameters(paramLabel = "FILE|NAME", description = "A scenario file (.yaml), or the name of a built-in one.")
    private String scenario = "";

    @Option(names = "--workload", paramLabel = "NAME", description = "sigcomm18: W1 to W5. Default: W3.")
    private String workload = "W3";

    @Option(
            names = "--preset",
            paramLabel = "NAME",
            description = "sigcomm18: smoke (below a minute), nightly (minutes) or full (as long as published). "
                    + "Default: smoke.")
    private Sigcomm18.Preset preset = Sigcomm18.Preset.SMOKE;

    @Option(
            names = "--rules",
            paramLabel = "NAME",
            description = "sigcomm18: paper (its packets and rules) or kernel (real headers, the engine's defaults). "
                    + "Default: paper.")
    private Rules rules = Rules.PAPER;

    @Option(names = "--load", paramLabel = "PERCENT", description = "sigcomm18: load of the links. Default: 80.")
    private int load = 80;

    @Option(names = "--seed", paramLabel = "N", description = "Decides the run. Default: 1.")
    @Nullable
    private Long seed;

    @Option(names = "--on", paramLabel = "WHERE", description = "simulated, the only one for now.")
    private String on = SIMULATED;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Simulated time, in place of the file's.")
    @Nullable
    private Duration duration;

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "sigcomm18: runs with seeds from --seed on, on all CPUs, counted together. Default: 1.")
    private int runs = 1;

    @Override
    public Integer call() throws IOException {
        if (!on.equals(SIMULATED)) {
            throw invalid("Invalid value for option '--on': '" + on + "'; allowed is " + SIMULATED);
        }
        require("--load", load, 99);
        require("--runs", runs, 1_000);
        if (scenario.equals(PAPER) || scenario.equals(OVERCOMMIT)) {
            if (duration != null) {
                throw invalid("--duration: " + scenario + " has --preset instead");
            }
            return scenario.equals(PAPER) ? runPaper() : runOvercommit();
        }
        return ScenarioSession.run(read(), json, Console.of(spec));
    }

    private int runPaper() {
        if (!workload.matches("W[1-5]")) {
            throw invalid("Invalid value for option '--workload': '" + workload + "'; allowed are W1 to W5");
        }
        Sigcomm18 setup = Sigcomm18.of(workload, load, rules == Rules.PAPER, preset, seedOr1());
        return new Sigcomm18Session(setup, preset.label(), runs, json, Console.of(spec)).run();
    }

    private int runOvercommit() {
        return OvercommitSession.run(preset, seedOr1(), json, Console.of(spec));
    }

    private long seedOr1() {
        return seed == null ? 1 : seed;
    }

    private Scenario read() throws IOException {
        boolean isFile = scenario.endsWith(".yaml") || scenario.endsWith(".yml");
        try {
            String text = isFile ? Files.readString(Path.of(scenario)) : BuiltInScenarios.text(scenario);
            Long lengthPs = duration == null ? null : duration.toNanos() * 1_000;
            return Scenario.parse(scenario, text, new Scenario.Overrides(lengthPs, seed));
        } catch (NoSuchFileException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), "no file '" + scenario + "'", e);
        } catch (ScenarioException | IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private void require(String option, long value, long high) {
        if (value < 1 || value > high) {
            throw invalid("Invalid value for option '" + option + "': " + value + "; allowed are 1 to " + high);
        }
    }

    private CommandLine.ParameterException invalid(String message) {
        return new CommandLine.ParameterException(spec.commandLine(), message);
    }
}
