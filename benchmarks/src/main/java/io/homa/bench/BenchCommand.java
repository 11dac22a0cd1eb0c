package io.homa.bench;

import io.homa.bench.peer.Peer;
import io.homa.cli.Console;
import io.homa.cli.DurationConverter;
import io.homa.cli.Interrupt;
import io.homa.cli.JsonOption;
import io.homa.cli.RunFailure;
import io.homa.cli.RuntimeDirectory;
import io.homa.cli.Subcommand;
import io.homa.cli.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The stack beside the floor and other transports, in one run.
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Compares this stack with the floor (the same devices without a protocol, in C and Java) and with other"
                    + " transports: in one run, taking turns for several rounds, each side a process on its own CPU.",
            "Prints medians of the rounds' ratios with their range, and writes a report with plots and histograms."
        },
        footer = {
            "",
            "Suites: rtt, rate, stream, mixed, memory, scale; all is every one of them.",
            "",
            "Examples:  ./homa bench rtt    ./homa bench stream --only raw-c,homa --rounds 3    ./homa bench all"
        })
public final class BenchCommand implements Subcommand {
    private static final String ALL = "all";

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything runs
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "SUITE", description = "rtt, rate, stream, mixed, memory, scale or all.")
    private String suiteName = ALL;

    @Mixin
    private JsonOption json = new JsonOption();

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds to measure. Default: ${DEFAULT-VALUE}.")
    private int rounds = 5;

    @Option(
            names = "--time",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "150ms",
            description = "Time of one measurement. Default: ${DEFAULT-VALUE}.")
    private Duration time = Duration.ofMillis(150);

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "4s",
            description = "Most time that each case runs before the first round, while there is code to compile."
                    + " Default: ${DEFAULT-VALUE}.")
    private Duration warmUp = Duration.ofSeconds(4);

    @Option(
            names = "--rate",
            paramLabel = "PER_SECOND",
            description = "Round trips per second by the clock, in suite rtt. Default: one after the other.")
    private double perSecond;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "NAME",
            description = "Contenders to run. Default: all that a suite has.")
    private List<String> only = List.of();

    @Option(
            names = "--cores",
            split = ",",
            paramLabel = "CPU,CPU",
            description = "CPUs of client and server. Default: the first two of this process.")
    private List<Integer> cores = List.of();

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "Directory for the report. Default: homa-bench-<time> here.")
    @Nullable
    private Path report;

    @Option(names = "--no-report", description = "Write no report.")
    private boolean isWithoutReport;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Console console = Console.of(spec);
        List<Suite> suites = suites();
        List<Peer> peers = peers();
        Cores chosen = Cores.choose(cores);
        Path page = reportDirectory();
        BenchResult result = measure(suites, peers, chosen, console);
        if (!json.isStandardOutput()) {
            console.print(result.toText());
        }
        json.write(result.toJson(), console);
        if (page != null) {
            result.writeReport(page, parameters(chosen));
            console.note("report: " + page.resolve("index.html"));
        }
        return result.allProblems().isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private BenchResult measure(List<Suite> suites, List<Peer> peers, Cores chosen, Console console)
            throws InterruptedException {
        SuiteRunner.Plan plan = new SuiteRunner.Plan(rounds, (int) warmUp.toMillis());
        String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        long startNs = System.nanoTime();
        List<SuiteResult> results = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        try (Interrupt interrupt = new Interrupt()) {
            for (Suite suite : suites) {
                SuiteRunner runner = new SuiteRunner(plan, chosen, RuntimeDirectory.get(), console::note, interrupt);
                boolean isComplete = runner.run(suite, peers);
                results.add(new SuiteResult(suite, runner.samples(), runner.absent(), runner.distancesNs()));
                if (!isComplete) {
                    problems.add("interrupted");
                    break;
                }
            }
        }
        return new BenchResult(started, System.nanoTime() - startNs, results, problems);
    }

    private List<Suite> suites() {
        require("--rounds", rounds, 1, 1_000);
        require("--time", time.toMillis(), 10, 60_000);
        require("--warmup", warmUp.toMillis(), 1, 60_000);
        if (!(perSecond >= 0 && perSecond <= 1e7)) {
            throw wrong("Invalid value for option '--rate': " + perSecond + "; allowed are above 0 to 1e7 per second");
        }
        List<Suite> all = Suites.all((int) time.toMillis(), perSecond);
        List<Suite> chosen = all.stream()
                .filter(suite -> suiteName.equals(ALL) || suite.name().equals(suiteName))
                .toList();
        if (chosen.isEmpty()) {
            throw wrong("Invalid value for SUITE: '" + suiteName + "'; allowed are "
                    + all.stream().map(Suite::name).collect(Collectors.joining(", ")) + " and " + ALL);
        }
        return chosen;
    }

    private List<Peer> peers() {
        if (only.isEmpty()) {
            return List.of(Peer.values());
        }
        return only.stream()
                .map(name -> Peer.named(name)
                        .orElseThrow(() -> wrong("Invalid value for option '--only': '" + name + "'; allowed are "
                                + Arrays.stream(Peer.values()).map(Peer::label).collect(Collectors.joining(", ")))))
                .toList();
    }

    private void require(String option, long value, long low, long high) {
        if (value < low || value > high) {
            throw wrong("Invalid value for option '" + option + "': " + value + "; allowed are " + low + " to " + high);
        }
    }

    private CommandLine.ParameterException wrong(String message) {
        return new CommandLine.ParameterException(spec.commandLine(), message);
    }

    /// Returns the directory of the report, made now so that a run does not end in vain; null if none is wanted.
    private @Nullable Path reportDirectory() {
        if (isWithoutReport) {
            return null;
        }
        String now = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").format(LocalDateTime.now(ZoneId.systemDefault()));
        Path directory = report != null ? report : Path.of("homa-bench-" + now);
        try {
            return Files.createDirectories(directory);
        } catch (IOException e) {
            throw new RunFailure(
                    "the report's directory " + directory + " cannot be made (" + e.getMessage()
                            + "). Name another with --report, or use --no-report.",
                    e);
        }
    }

    private Map<String, String> parameters(Cores chosen) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("suites", suiteName);
        parameters.put(
                "measured",
                rounds + " rounds of " + time.toMillis() + " ms, after up to " + warmUp.toMillis()
                        + " ms of warming up");
        parameters.put("CPUs", "client " + chosen.client() + ", server " + chosen.server());
        for (Peer peer : peers()) {
            parameters.put(peer.label(), peer.meaning());
        }
        return parameters;
    }
}
