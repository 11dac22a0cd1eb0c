package io.homa.cli;

import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// The root of the command line.
@Command(
        name = "homa",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = {
            DemoCommand.class,
            DemoPeerCommand.class,
            ServerCommand.class,
            PingCommand.class,
            SimCommand.class,
            ScenarioCommand.class,
            CommandLine.HelpCommand.class
        },
        description = "The Homa transport on DPDK: servers, measurements and tests.",
        footer = {
            "",
            "Beside these, the launcher itself does:",
            "  setup   installs what this machine lacks, and builds; every other command does so when needed",
            "  test    builds and runs every test",
            "",
            "Exit codes: 0 well, 1 the run or a check in it failed, 2 wrong arguments."
        })
public final class HomaCommand implements Runnable {
    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything runs
    private CommandLine.Model.CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /// Returns the command line with every subcommand.
    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new HomaCommand());
        ServiceLoader.load(Subcommand.class).forEach(line::addSubcommand);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExecutionExceptionHandler(new Failures());
        line.setParameterExceptionHandler(new Failures());
        line.setUsageHelpAutoWidth(true);
        return line;
    }

    /// Runs the command and exits with its code.
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }
}
