package io.homa.cli;

import io.homa.HomaAddress;
import io.homa.HomaConfig;
import io.homa.HomaTransport;
import io.homa.dpdk.DeviceKind;
import io.homa.dpdk.DeviceSpec;
import io.homa.engine.EngineConfig;
import io.homa.net.IpAddress;
import io.homa.scenario.EchoApplication;
import io.homa.scenario.OpenLoopSchedule;
import io.homa.scenario.PingLoad;
import io.homa.scenario.RunResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Measures round trips to an echo server.
@Command(
        name = "ping",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Sends requests to an echo server, checks every byte that comes back, and prints percentiles.",
        footer = {
            "",
            "With --rate, requests leave by the clock whatever becomes of earlier ones, and times run from when a",
            "request was due, so that stalls show. A run that could not keep its schedule is marked invalid.",
            "",
            "Examples:  ./homa ping 10.0.0.1:4000 --size 1,100,1424,1000000 --count 1000",
            "           ./homa ping --device ring: --duration 3s --rate 50000 --json -"
        })
final class PingCommand implements Callable<Integer> {
    private static final String DEFAULT_ADDRESS = "10.0.0.2/24";
    private static final int OPEN_LOOP_OUTSTANDING = 1_024;
    private static final long DEFAULT_COUNT = 10_000;
    private static final int MAX_OUTSTANDING = 4_096;
    /// Longer than an RPC takes to fail.
    private static final Duration STALL_LIMIT = Duration.ofSeconds(20);

    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(5);
    private static final Duration GREETING_LIMIT = Duration.ofSeconds(5);

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything runs
    private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "HOST:PORT",
            converter = Address.class,
            description = "Server, such as 10.0.0.1:4000. Default: where ./homa server is by default.")
    @Nullable
    private HomaAddress server;

    @Mixin
    private StackOptions stack = new StackOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Option(
            names = "--size",
            split = ",",
            paramLabel = "BYTES",
            description = "Sizes of the messages, 1 to 1000000, one after the other. Default: 100.")
    private List<Integer> sizes = List.of(100);

    @Option(names = "--count", paramLabel = "N", description = "Requests per size. Default: 10000.")
    @Nullable
    private Long count;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Time per size, such as 5s; instead of --count.")
    @Nullable
    private Duration duration;

    @Option(names = "--rate", paramLabel = "PER_SECOND", description = "Requests per second, by the clock.")
    @Nullable
    private Double rate;

    @Option(
            names = "--outstanding",
            paramLabel = "N",
            description = "Requests on their way at the same time, 1 to 4096. Default: 1; with --rate at most 1024.")
    @Nullable
    private Integer outstanding;

    @Option(
            names = "--warmup",
            paramLabel = "N",
            description =
                    "Requests per size before the measured ones. Default: as many as are measured, 20000 at most.")
    @Nullable
    private Long warmUp;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "30s",
            description = "How long to wait for the device's other side. Default: ${DEFAULT-VALUE}.")
    private Duration wait = Duration.ofSeconds(30);

    @Override
    public Integer call() {
        checkOptions();
        Console console = Console.of(spec);
        DeviceSpec device =
                stack.device == null ? DeviceSpec.parse("virtio:" + ServerCommand.defaultSocket()) : stack.device;
        HomaConfig config = stack.config(device, DEFAULT_ADDRESS);
        PingResults results = new PingResults(config.device().toString());
        HomaTransport transport = StackOptions.open(config, wait, console);
        try (Interrupt interrupt = new Interrupt()) {
            HomaAddress target = target(config);
            if (device.kind() == DeviceKind.RING) {
                transport.serveInline(target.port(), new EchoApplication());
            }
            greet(transport, target, interrupt, console);
            for (int size : sizes) {
                PingLoad load = load(target, size);
                run(transport, load, duration, interrupt, console);
                if (!load.isDone()) {
                    results.stuck(size);
                    transport.close();
                }
                results.add(load, rate == null);
                if (interrupt.isRequested() || load.lastError() != null) {
                    break;
                }
            }
            transport.close();
            results.close(transport.leakedPackets(), interrupt.isRequested());
            RunResult result = results.result();
            if (!json.isStandardOutput()) {
                console.print(ResultTable.render(result));
            }
            json.write(result, console);
            results.failure().ifPresent(console::note);
            boolean isWell = results.failure().isEmpty();
            return isWell ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        } finally {
            transport.close();
        }
    }

    /// Sends single requests until one is answered: the server may still be starting.
    private static void greet(HomaTransport transport, HomaAddress target, Interrupt interrupt, Console console) {
        long limitNs = System.nanoTime() + GREETING_LIMIT.toNanos();
        PingLoad hello;
        do {
            hello = new PingLoad(target, 1, 1, 0, 1, null);
            run(transport, hello, null, interrupt, console);
        } while (hello.lastError() != null && System.nanoTime() < limitNs && !interrupt.isRequested());
    }

    private HomaAddress target(HomaConfig config) {
        if (server != null) {
            return server;
        }
        return config.device().kind() == DeviceKind.RING
                ? new HomaAddress(config.net().address(), ServerCommand.DEFAULT_PORT)
                : new HomaAddress(
                        IpAddress.parse(ServerCommand.DEFAULT_ADDRESS.replaceFirst("/.*", "")),
                        ServerCommand.DEFAULT_PORT);
    }

    private PingLoad load(HomaAddress target, int size) {
        long requests = count != null ? count : duration != null ? Long.MAX_VALUE : DEFAULT_COUNT;
        int limit = outstanding != null ? outstanding : rate != null ? OPEN_LOOP_OUTSTANDING : 1;
        long first = warmUp != null ? warmUp : Math.min(requests, Math.max(200, 20_000_000L / (size + 1_000)));
        return new PingLoad(target, size, limit, first, requests, rate == null ? null : new OpenLoopSchedule(rate));
    }

    private static void run(
            HomaTransport transport, PingLoad load, @Nullable Duration limit, Interrupt interrupt, Console console) {
        transport.runInline(load);
        long total = limit == null ? load.total() : 100;
        console.await("ping " + load.size() + " B", total, () -> progress(load, limit), new Console.Wait() {
            private long lastEnded = -1;
            private long lastProgressNs;

            @Override
            public boolean isOver() {
                long nowNs = System.nanoTime();
                if (load.ended() != lastEnded) {
                    lastEnded = load.ended();
                    lastProgressNs = nowNs;
                }
                boolean isTimeUp = limit != null && load.measuringNs() > limit.toNanos();
                if (isTimeUp || load.lastError() != null || interrupt.isRequested()) {
                    load.stop();
                }
                Duration patience = load.isStopping() ? DRAIN_LIMIT : STALL_LIMIT;
                return load.isDone() || nowNs - lastProgressNs > patience.toNanos();
            }
        });
    }

    private static long progress(PingLoad load, @Nullable Duration limit) {
        return limit == null ? load.ended() : load.measuringNs() * 100 / limit.toNanos();
    }

    private void checkOptions() {
        for (int size : sizes) {
            require("--size", size, 1, EngineConfig.MAX_MESSAGE_LENGTH);
        }
        if (count != null && duration != null) {
            throw wrong("--count and --duration exclude each other: give one of them");
        }
        if (count != null) {
            require("--count", count, 1, 10_000_000_000L);
        }
        if (warmUp != null) {
            require("--warmup", warmUp, 0, 10_000_000_000L);
        }
        if (outstanding != null) {
            require("--outstanding", outstanding, 1, MAX_OUTSTANDING);
        }
        if (rate != null && !(rate > 0 && rate <= 1e8)) {
            throw wrong("Invalid value for option '--rate': " + rate + "; allowed are above 0 to 1e8 per second");
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

    /// Reads an address with port.
    static final class Address implements CommandLine.ITypeConverter<HomaAddress> {
        @Override
        public HomaAddress convert(String value) {
            return StackOptions.converted(() -> HomaAddress.parse(value));
        }
    }
}
