package io.homa.cli;

import io.homa.scenario.BuiltInScenarios;
import io.homa.scenario.Scenario;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `homa scenario list`.
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Lists the built-in scenarios.")
final class ScenarioListCommand implements Callable<Integer> {
    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything runs
    private CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() {
        Console console = Console.of(spec);
        print(console, ScenarioRunCommand.PAPER, "the simulation of the SIGCOMM 2018 paper, beside its results");
        print(console, ScenarioRunCommand.OVERCOMMIT, "load that W4 can sustain with 1 and with 7 granted messages");
        for (String name : BuiltInScenarios.NAMES) {
            String description = Scenario.parse(name, BuiltInScenarios.text(name), Scenario.Overrides.NONE)
                    .description();
            print(console, name, description);
        }
        return CommandLine.ExitCode.OK;
    }

    private static void print(Console console, String name, String description) {
        console.print(String.format(Locale.ROOT, "%-18s %s", name, description));
    }
}
