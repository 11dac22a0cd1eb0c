package io.homa.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `homa scenario`: networks of simulated hosts.
@Command(
        name = "scenario",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = {ScenarioRunCommand.class, ScenarioListCommand.class, ScenarioShowCommand.class},
        description = "Networks of simulated hosts with the production engine: traffic, faults, expectations.")
final class ScenarioCommand implements Runnable {
    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything runs
    private CommandLine.Model.CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
