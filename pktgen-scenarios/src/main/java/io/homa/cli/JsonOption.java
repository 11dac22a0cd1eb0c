package io.homa.cli;

import io.homa.scenario.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The option `--json` of every command that measures.
public final class JsonOption {
    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Write the results as JSON to FILE; - is standard output, which then has nothing else.")
    @Nullable
    String file;

    /// Says whether standard output belongs to the JSON.
    public boolean isStandardOutput() {
        return "-".equals(file);
    }

    /// Writes the results if asked for.
    public void write(RunResult result, Console console) {
        write(result.toJson(), console);
    }

    /// Writes this JSON text if asked for.
    public void write(String text, Console console) {
        if (file == null) {
            return;
        }
        if (isStandardOutput()) {
            console.print(text.stripTrailing());
            return;
        }
        try {
            Files.writeString(Path.of(file), text);
        } catch (IOException e) {
            throw new RunFailure(
                    "--json: cannot write '" + file + "' (" + e.getMessage() + "). Choose a file that you may write.",
                    e);
        }
    }
}
