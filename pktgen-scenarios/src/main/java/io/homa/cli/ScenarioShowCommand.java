package io.homa.cli;

import io.homa.scenario.BuiltInScenarios;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `homa scenario show`.
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Prints the file of a built-in scenario, to start an own one from.")
final class ScenarioShowCommand implements Callable<Integer> {
    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything runs
    private CommandLine.Model.CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "Name of a built-in scenario.")
    private String name = "";

    @Override
    public Integer call() {
        try {
            Console.of(spec).print(BuiltInScenarios.text(name).stripTrailing());
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        return CommandLine.ExitCode.OK;
    }
}
