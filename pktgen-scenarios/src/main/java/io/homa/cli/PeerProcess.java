package io.homa.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Another process of a command: a JVM like this one that takes commands on its standard input, answers on its
/// standard output, and ends when the input does, whatever happens to this process. One thread.
public final class PeerProcess implements DemoControl {
    /// Mark of a line that says why a command failed.
    public static final String FAILED = "failed ";

    private static final int EXIT_SECONDS = 5;

    private final Process process;
    private final BufferedReader answers;
    private final Writer commands;

    private PeerProcess(Process process) {
        this.process = process;
        answers = process.inputReader(StandardCharsets.UTF_8);
        commands = process.outputWriter(StandardCharsets.UTF_8);
    }

    /// Starts the process with this one's JVM and flags.
    static PeerProcess start(List<String> arguments) {
        return start(List.of(), List.of(), arguments);
    }

    /// Starts the process with this one's JVM and flags.
    ///
    /// @param prefix command to run it under, such as `taskset -c 1`; may be empty
    /// @param flags more flags for the JVM
    /// @param arguments of the `homa` command
    public static PeerProcess start(List<String> prefix, List<String> flags, List<String> arguments) {
        List<String> line = new ArrayList<>(prefix);
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        line.addAll(flags);
        line.addAll(List.of("-cp", System.getProperty("java.class.path"), HomaCommand.class.getName()));
        line.addAll(arguments);
        try {
            return new PeerProcess(new ProcessBuilder(line)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } catch (IOException e) {
            throw new RunFailure("the second process could not be started: " + e.getMessage(), e);
        }
    }

    @Override
    public String ask(String command) {
        send(command);
        return answer();
    }

    /// Sends a command; [#answer] takes what comes back.
    public void send(String command) {
        try {
            commands.write(command + "\n");
            commands.flush();
        } catch (IOException e) {
            throw ended(e);
        }
    }

    /// Waits for the answer to the command sent before.
    public String answer() {
        try {
            String line = answers.readLine();
            if (line == null) {
                throw ended(null);
            }
            if (line.startsWith(FAILED)) {
                throw new RunFailure("the second process: " + line.substring(FAILED.length()));
            }
            return line;
        } catch (IOException e) {
            throw ended(e);
        }
    }

    private RunFailure ended(@org.jspecify.annotations.Nullable Exception cause) {
        String how = "it was still running";
        try {
            if (process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
                how = "exit code " + process.exitValue();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        RunFailure failure = new RunFailure("the second process stopped answering (" + how + ")");
        if (cause != null) {
            failure.initCause(cause);
        }
        return failure;
    }

    /// Lets the process end by itself, then makes it.
    @Override
    public void close() {
        try {
            commands.close();
        } catch (IOException e) {
            // It has ended already, which is what this is for.
            process.destroy();
        }
        try {
            if (!process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
