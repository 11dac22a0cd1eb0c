package io.homa.cli;

import io.homa.HomaAddress;
import io.homa.HomaConfig;
import io.homa.scenario.Workload;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/// The second process of `demo`; see [PeerProcess].
@Command(name = "demo-peer", hidden = true, description = "The second process of demo.")
final class DemoPeerCommand implements Callable<Integer> {
    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything runs
    private CommandSpec spec;

    @Mixin
    private StackOptions stack = new StackOptions();

    @Option(names = "--peer", required = true, converter = PingCommand.Address.class)
    @SuppressWarnings("NullAway.Init") // picocli requires it
    private HomaAddress peer;

    @Option(names = "--workload", required = true)
    private String workload = "";

    @Option(names = "--cut", required = true)
    private int cutBytes;

    @Option(names = "--outstanding", required = true)
    private int outstanding;

    @Option(names = "--seed", required = true)
    private long seed;

    @Option(names = "--wait", required = true, converter = DurationConverter.class)
    private Duration wait = Duration.ofSeconds(30);

    @Override
    public Integer call() throws IOException {
        Console console = Console.of(spec);
        if (stack.device == null) {
            throw new CommandLine.ParameterException(spec.commandLine(), "Missing required option '--device'");
        }
        HomaConfig config = stack.config(stack.device, ServerCommand.DEFAULT_ADDRESS);
        Workload sizes = Workload.of(workload).cutAt(cutBytes);
        try (Interrupt _ = new Interrupt();
                DemoSide side = new DemoSide(config, peer, sizes, outstanding, seed, wait, console);
                BufferedReader commands =
                        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            // The input ends when the first process does, however it ends.
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                console.print(answer(side, line));
            }
        }
        return CommandLine.ExitCode.OK;
    }

    private static String answer(DemoSide side, String command) {
        try {
            return side.ask(command);
        } catch (RuntimeException e) {
            String text = e instanceof RunFailure ? e.getMessage() : e.toString();
            return PeerProcess.FAILED + String.valueOf(text).replace('\n', ' ');
        }
    }
}
