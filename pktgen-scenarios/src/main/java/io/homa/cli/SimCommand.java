package io.homa.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.homa.fabric.faults.Fault;
import io.homa.fabric.faults.FaultSimulation;
import io.homa.fabric.faults.SeedRunner;
import io.homa.fabric.faults.SimulationOutcome;
import io.homa.scenario.BuildInfo;
import io.homa.scenario.IntegrityCount;
import io.homa.scenario.MachineInfo;
import io.homa.scenario.Measurement;
import io.homa.scenario.RunResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `homa sim`: the engine under faults, in virtual time.
@Command(
        name = "sim",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Deterministic simulation: 2 to 50 hosts with the production engine and a network that loses, duplicates, "
                    + "reorders, cuts and partitions; hosts that pause, restart and run short of memory.",
            "Every byte and every end of an RPC is checked. One seed decides everything in a run."
        },
        footer = {"", "Examples:  ./homa sim --seeds 1000    ./homa sim --seed 42 --rpcs 500"})
final class SimCommand implements Callable<Integer> {
    private static final long START_NS = 1_000_000_000;
    private static final int SHOWN_VIOLATIONS = 10;

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything runs
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Mixin
    private final JsonOption json = new JsonOption();

    @Option(names = "--seeds", paramLabel = "N", description = "Runs, with seeds 1 to N. Default: 100.")
    private long seeds = 100;

    @Option(names = "--first", paramLabel = "N", description = "Count the seeds from N on. Default: 1.")
    private long first = 1;

    @Option(names = "--seed", paramLabel = "S", description = "Run this seed alone, with a trace of every packet.")
    @Nullable
    private Long seed;

    @Option(names = "--rpcs", paramLabel = "N", description = "RPCs of each run. Default: 10000.")
    private int rpcs = 10_000;

    @Option(names = "--threads", paramLabel = "N", description = "Runs at a time. Default: one per CPU.")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(names = "--trace", paramLabel = "FILE", description = "Write the trace of --seed there, not to the output.")
    @Nullable
    private Path traceFile;

    @Override
    public Integer call() throws IOException {
        require("--seeds", seeds, 1_000_000_000L);
        require("--rpcs", rpcs, 1_000_000);
        require("--threads", threads, 1_024);
        // Illegal steps of an RPC's life are assertions of the engine.
        ClassLoader.getSystemClassLoader().setPackageAssertionStatus("io.homa.engine", true);
        return seed == null ? runMany() : replay(seed);
    }

    private void require(String option, long value, long high) {
        if (value < 1 || value > high) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "Invalid value for option '" + option + "': " + value + "; allowed are 1 to " + high);
        }
    }

    private int replay(long replayed) throws IOException {
        Console console = Console.of(spec);
        SimulationOutcome outcome;
        try (PrintWriter out = traceFile == null
                        ? null
                        : new PrintWriter(Files.newBufferedWriter(traceFile, StandardCharsets.UTF_8));
                FaultSimulation simulation = new FaultSimulation(replayed, rpcs, (timeNs, line) -> {
                    String text = String.format(Locale.ROOT, "%12.3f µs  %s", (timeNs - START_NS) / 1e3, line);
                    if (out == null) {
                        console.print(text);
                    } else {
                        out.println(text);
                    }
                })) {
            outcome = simulation.run();
        }
        console.print("seed " + replayed + ": " + outcome.hosts() + " hosts, " + outcome.rpcs() + " RPCs, "
                + outcome.packets() + " packets, " + outcome.timeNs() / 1_000_000 + " ms of simulated time");
        if (outcome.violation() != null) {
            console.print("VIOLATION " + outcome.violation());
            return CommandLine.ExitCode.SOFTWARE;
        }
        return CommandLine.ExitCode.OK;
    }

    private int runMany() {
        Console console = Console.of(spec);
        String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        SeedRunner runner = new SeedRunner(first, seeds, rpcs);
        long startNs = System.nanoTime();
        try (Interrupt interrupt = new Interrupt()) {
            Thread work = Thread.ofPlatform().daemon().start(() -> runner.run(threads, interrupt::isRequested));
            console.await("seeds", seeds, runner::done, () -> !work.isAlive());
        }
        long elapsedNs = System.nanoTime() - startNs;
        if (!json.isStandardOutput()) {
            print(console, runner, elapsedNs);
        }
        json.write(toJson(runner, started, elapsedNs), console);
        boolean isComplete = runner.done() == seeds;
        if (!isComplete) {
            console.note("interrupted after " + runner.done() + " of " + seeds + " seeds");
        }
        return isComplete && runner.violations().isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private void print(Console console, SeedRunner runner, long elapsedNs) {
        console.print(String.format(
                Locale.ROOT,
                "%,d seeds, %,d RPCs, %,d packets in %.1f s: %,.0f RPCs per second",
                runner.done(),
                runner.rpcs(),
                runner.packets(),
                elapsedNs / 1e9,
                runner.rpcs() * 1e9 / elapsedNs));
        console.print(String.format(Locale.ROOT, "%,d RPCs ended with an error, each for a reason", runner.failed()));
        for (Fault fault : Fault.values()) {
            console.print(String.format(Locale.ROOT, "%,14d %s", runner.count(fault), fault.meaning()));
        }
        List<SimulationOutcome> violations = runner.violations();
        for (SimulationOutcome outcome : violations.subList(0, Math.min(SHOWN_VIOLATIONS, violations.size()))) {
            console.print("VIOLATION with seed " + outcome.seed() + " " + outcome.violation());
            console.print("  replay with:  ./homa sim --seed " + outcome.seed() + " --rpcs " + rpcs);
        }
        console.print(violations.size() + " violations");
    }

    private String toJson(SeedRunner runner, String started, long elapsedNs) {
        List<String> reasons = new ArrayList<>();
        if (runner.done() < seeds) {
            reasons.add("interrupted");
        }
        List<Measurement> results =
                List.of(Measurement.value("homa", Measurement.RPC_PER_S, null, 1, runner.rpcs() * 1e9 / elapsedNs));
        RunResult result = new RunResult(
                "sim",
                BuildInfo.version(),
                BuildInfo.commit(),
                started,
                elapsedNs,
                MachineInfo.current("none", "simulated"),
                reasons.isEmpty(),
                reasons,
                results,
                List.of(),
                new IntegrityCount(2 * (runner.rpcs() - runner.failed()), 0, 0, 0, 0),
                new RunResult.Resources(0, 0, MachineInfo.residentBytes()));
        ObjectNode tree = new ObjectMapper().valueToTree(result);
        ObjectNode violations = tree.putObject("violations");
        violations.put("count", runner.violations().size());
        ArrayNode list = violations.putArray("seeds");
        runner.violations().forEach(outcome -> list.add(outcome.seed()));
        return tree.toPrettyString() + "\n";
    }
}
