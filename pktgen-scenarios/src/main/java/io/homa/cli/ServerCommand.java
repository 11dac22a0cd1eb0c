package io.homa.cli;

import io.homa.HomaConfig;
import io.homa.HomaTransport;
import io.homa.dpdk.DeviceSpec;
import io.homa.net.IpAddress;
import io.homa.scenario.EchoApplication;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/// Echoes every request until it is interrupted.
@Command(
        name = "server",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Answers every request with its own bytes, until interrupted.",
        footer = {"", "Example, in two terminals:  ./homa server    ./homa ping 10.0.0.1:4000"})
final class ServerCommand implements Callable<Integer> {
    /// What `ping` looks for when it is told nothing else.
    static final int DEFAULT_PORT = 4_000;

    static final String DEFAULT_ADDRESS = "10.0.0.1/24";

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything runs
    private CommandSpec spec;

    @Mixin
    private StackOptions stack = new StackOptions();

    @Option(names = "--port", paramLabel = "N", description = "Homa port, 1 to 32767. Default: ${DEFAULT-VALUE}.")
    private int port = DEFAULT_PORT;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "End after this time, such as 30s. Default: when interrupted.")
    @Nullable
    private Duration duration;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "60s",
            description = "How long to wait for the device's other side. Default: ${DEFAULT-VALUE}.")
    private Duration wait = Duration.ofSeconds(60);

    /// Returns the socket that server and ping meet at by default.
    static String defaultSocket() {
        return RuntimeDirectory.get().resolve("homa.sock").toString();
    }

    @Override
    public Integer call() throws InterruptedException {
        Console console = Console.of(spec);
        if (port < 1 || port > 32_767) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "Invalid value for option '--port': " + port + "; allowed are 1 to 32767");
        }
        DeviceSpec device = stack.device == null ? DeviceSpec.parse("vhost:" + defaultSocket()) : stack.device;
        HomaConfig config = stack.config(device, DEFAULT_ADDRESS);
        EchoApplication echo = new EchoApplication();
        HomaTransport transport = StackOptions.open(config, wait, console);
        try (Interrupt interrupt = new Interrupt()) {
            transport.serveInline(port, echo);
            console.print("serving " + IpAddress.text(config.net().address()) + ":" + port + " on " + config.device()
                    + "; interrupt to end");
            CountDownLatch never = new CountDownLatch(1);
            long endNs = duration == null ? Long.MAX_VALUE : System.nanoTime() + duration.toNanos();
            while (!interrupt.isRequested() && System.nanoTime() < endNs) {
                boolean _ = never.await(50, TimeUnit.MILLISECONDS);
            }
            transport.close();
            console.print("answered " + echo.served() + " requests");
        }
        return CommandLine.ExitCode.OK;
    }
}
