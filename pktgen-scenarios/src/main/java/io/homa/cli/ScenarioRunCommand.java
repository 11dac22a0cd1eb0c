package io.homa.cli;

import io.homa.scenario.Sigcomm18;
import java.util.concurrent.Callable;
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

    @Parameters(paramLabel = "NAME", description = "Name of a built-in scenario.")
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
    private long seed = 1;

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "sigcomm18: runs with seeds from --seed on, on all CPUs, counted together. Default: 1.")
    private int runs = 1;

    @Override
    public Integer call() {
        if (!scenario.equals(PAPER)) {
            throw invalid("no scenario '" + scenario + "'; allowed are: " + PAPER);
        }
        if (!workload.matches("W[1-5]")) {
            throw invalid("Invalid value for option '--workload': '" + workload + "'; allowed are W1 to W5");
        }
        require("--load", load, 99);
        require("--runs", runs, 1_000);
        Sigcomm18 setup = Sigcomm18.of(workload, load, rules == Rules.PAPER, preset, seed);
        return new Sigcomm18Session(setup, preset.label(), runs, json, Console.of(spec)).run();
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
