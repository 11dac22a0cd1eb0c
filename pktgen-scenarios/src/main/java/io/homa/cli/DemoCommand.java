package io.homa.cli;

import io.homa.HomaConfig;
import io.homa.dpdk.ThreadAffinity;
import io.homa.engine.EngineConfig;
import io.homa.net.IpAddress;
import io.homa.scenario.HtmlReport;
import io.homa.scenario.RunResult;
import io.homa.scenario.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/// The whole stack between two processes of this machine, beside kernel TCP.
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Two processes, each client and server, exchange requests and responses of a published workload over a"
                    + " virtio device in shared memory; every byte is checked. Then they do the same over kernel TCP.",
            "Prints percentiles by message size and writes a report with plots. Needs no root, NIC or huge pages."
        },
        footer = {
            "",
            "A response has the size of its request. Sizes are reported in classes, by their largest message: 100 B,",
            "1 KB, 1424 B (one packet), 10 KB, 40 KB (sent without waiting for grants), 100 KB, 1 MB.",
            "",
            "Examples:  ./homa demo    ./homa demo --workload W5 --duration 30s --json result.json"
        })
final class DemoCommand implements Callable<Integer> {
    private static final String FIRST = "10.0.0.1";
    private static final String SECOND = "10.0.0.2";
    private static final String PREFIX = "/24";

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything runs
    private CommandSpec spec;

    @Mixin
    private JsonOption json = new JsonOption();

    @Option(
            names = "--workload",
            paramLabel = "NAME",
            description = "W1 to W5, atc21/W1 to atc21/W5, ai/NAME, or a CSV file. Default: ${DEFAULT-VALUE}.")
    private String workload = "W3";

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "10s",
            description = "Time to measure over each transport. Default: ${DEFAULT-VALUE}.")
    private Duration duration = Duration.ofSeconds(10);

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "2s",
            description = "Time before that, checked but not measured. Default: ${DEFAULT-VALUE}.")
    private Duration warmUp = Duration.ofSeconds(2);

    @Option(
            names = "--messages",
            paramLabel = "N",
            description = "Go on until this many requests were answered each way. Default: ${DEFAULT-VALUE}.")
    private long messages = 10_000;

    @Option(
            names = "--limit",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "120s",
            description = "But for no longer than this beyond --duration. Default: ${DEFAULT-VALUE}.")
    private Duration limit = Duration.ofMinutes(2);

    @Option(
            names = "--outstanding",
            paramLabel = "N",
            description = "Requests of each process on their way, 1 to 256. Default: ${DEFAULT-VALUE}.")
    private int outstanding = 8;

    @Option(names = "--seed", paramLabel = "N", description = "Start of the sizes. Default: ${DEFAULT-VALUE}.")
    private long seed = 1;

    @Option(
            names = "--mtu",
            paramLabel = "BYTES",
            description = "Bytes of an IP packet, 576 to 9000. Default: ${DEFAULT-VALUE}.")
    private int mtu = 1_500;

    @Option(
            names = "--cores",
            split = ",",
            paramLabel = "CPU,CPU",
            description = "CPUs of the two polling threads. Default: the first two of this process.")
    private List<Integer> cores = List.of();

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "Directory for the report. Default: homa-report-<time> here.")
    @Nullable
    private Path report;

    @Option(names = "--no-report", description = "Write no report.")
    private boolean isWithoutReport;

    @Option(names = "--no-tcp", description = "Leave the comparison with kernel TCP out.")
    private boolean isWithoutTcp;

    @Option(
            names = {"-v", "--verbose"},
            description = "Print the counters of both stacks to standard error.")
    private boolean isVerbose;

    @Option(names = "--loss", hidden = true, description = "Share of received frames to lose on purpose, for tests.")
    private double loss;

    @Override
    public Integer call() {
        Console console = Console.of(spec);
        checkOptions();
        Workload sizes = sizes();
        Path reportDirectory = reportDirectory();
        List<Integer> cpus = chosenCores(console);
        Path socket =
                RuntimeDirectory.get().resolve("demo-" + ProcessHandle.current().pid() + ".sock");
        DemoRun.Plan plan = new DemoRun.Plan(duration, warmUp, messages, limit, outstanding, !isWithoutTcp, isVerbose);
        try (Interrupt interrupt = new Interrupt()) {
            console.note("workload " + sizes.name() + ", mean " + Math.round(sizes.mean()) + " B, both ways between two"
                    + " processes over virtio/vhost; every byte is checked");
            RunResult result;
            try (PeerProcess other = PeerProcess.start(peerArguments(socket, cpus.getLast(), sizes));
                    DemoSide here = new DemoSide(
                            config(socket, cpus.getFirst()),
                            new io.homa.HomaAddress(IpAddress.parse(SECOND), DemoSide.HOMA_PORT),
                            sizes,
                            outstanding,
                            seed,
                            DemoRun.START_LIMIT,
                            console)) {
                result = new DemoRun(plan, here, other, console, interrupt).run("virtio:" + socket);
            } finally {
                deleteQuietly(socket);
            }
            if (!json.isStandardOutput()) {
                console.print(ResultTable.render(result));
            }
            json.write(result, console);
            if (reportDirectory != null) {
                writeReport(result, reportDirectory, sizes, console);
            }
            return result.valid() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        }
    }

    private HomaConfig config(Path socket, int cpu) {
        StackOptions options = new StackOptions();
        options.mtu = mtu;
        options.core = cpu;
        options.poolPackets = DemoRun.POOL_PACKETS;
        options.loss = loss;
        return options.config(io.homa.dpdk.DeviceSpec.parse("virtio:" + socket), FIRST + PREFIX);
    }

    private List<String> peerArguments(Path socket, int cpu, Workload sizes) {
        return List.of(
                "demo-peer",
                "--device=vhost:" + socket,
                "--address=" + SECOND + PREFIX,
                "--peer=" + FIRST + ":" + DemoSide.HOMA_PORT,
                "--mtu=" + mtu,
                "--core=" + cpu,
                "--pool=" + DemoRun.POOL_PACKETS,
                "--loss=" + loss,
                "--workload=" + workload,
                "--cut=" + sizes.largest(),
                "--outstanding=" + outstanding,
                "--seed=" + (seed + 1),
                "--wait=" + DemoRun.START_LIMIT.toSeconds() + "s");
    }

    private Workload sizes() {
        try {
            return Workload.of(workload).cutAt(EngineConfig.MAX_MESSAGE_LENGTH);
        } catch (IllegalArgumentException e) {
            throw wrong("Invalid value for option '--workload': " + e.getMessage());
        } catch (IOException e) {
            throw wrong("Invalid value for option '--workload': cannot read " + workload + ": " + e.getMessage());
        }
    }

    /// Two CPUs if this process has as many, else none is pinned.
    private List<Integer> chosenCores(Console console) {
        BitSet mine = ThreadAffinity.current();
        for (int cpu : cores) {
            if (cpu < 0 || !mine.get(cpu)) {
                throw wrong("Invalid value for option '--cores': " + cpu + "; allowed are this process's CPUs " + mine);
            }
        }
        if (cores.size() == 2) {
            return cores;
        }
        if (mine.cardinality() < 2) {
            console.note("one CPU only: the two polling threads share it, and the figures suffer");
            return List.of(HomaConfig.UNPINNED, HomaConfig.UNPINNED);
        }
        int first = mine.nextSetBit(0);
        return List.of(first, mine.nextSetBit(first + 1));
    }

    private void checkOptions() {
        require("--mtu", mtu, 576, 9_000);
        require("--outstanding", outstanding, 1, 256);
        require("--messages", messages, 1, 1_000_000_000L);
        if (!cores.isEmpty() && cores.size() != 2) {
            throw wrong("Invalid value for option '--cores': " + cores + "; allowed are two CPUs, such as 0,1");
        }
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
        String time = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").format(LocalDateTime.now(ZoneId.systemDefault()));
        Path directory = report != null ? report : Path.of("homa-report-" + time);
        try {
            return Files.createDirectories(directory);
        } catch (IOException e) {
            throw new RunFailure(
                    "the report's directory " + directory + " cannot be made (" + e.getMessage()
                            + "). Name another with --report, or use --no-report.",
                    e);
        }
    }

    private void writeReport(RunResult result, Path directory, Workload sizes, Console console) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put(
                "command",
                "./homa "
                        + String.join(
                                " ",
                                spec.commandLine().getParent() == null
                                        ? List.of("demo")
                                        : spec.commandLine()
                                                .getParent()
                                                .getParseResult()
                                                .originalArgs()));
        parameters.put(
                "workload",
                sizes.name() + ", mean " + Math.round(sizes.mean()) + " B, largest " + sizes.largest() + " B");
        parameters.put(
                "duration",
                duration.toMillis() / 1e3 + " s over each transport after " + warmUp.toMillis() / 1e3
                        + " s of warming up");
        parameters.put("requests on their way", outstanding + " from each process");
        parameters.put("MTU", mtu + " B");
        parameters.put("seed", Long.toString(seed));
        Path page = directory.resolve("index.html");
        try {
            Files.writeString(page, HtmlReport.render("Homa beside kernel TCP", result, parameters));
            Files.writeString(directory.resolve("result.json"), result.toJson());
        } catch (IOException e) {
            throw new RunFailure("the report " + page + " cannot be written: " + e.getMessage(), e);
        }
        console.note("report: " + page.toAbsolutePath());
    }

    private static void deleteQuietly(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // A socket left in the runtime directory is in nobody's way; its name has the process id.
            file.toFile().deleteOnExit();
        }
    }
}
