package io.homa.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import picocli.CommandLine.Model.CommandSpec;

/// Where a command writes: results to standard output, everything else to standard error; a progress bar only if
/// that is a terminal.
public final class Console {
    private static final int TICK_MS = 20;

    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean isTerminal;

    Console(PrintWriter out, PrintWriter err, boolean isTerminal) {
        this.out = out;
        this.err = err;
        this.isTerminal = isTerminal;
    }

    /// Returns the console of a command.
    public static Console of(CommandSpec spec) {
        return new Console(spec.commandLine().getOut(), spec.commandLine().getErr(), isErrorTerminal());
    }

    private static boolean isErrorTerminal() {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException e) {
            return false;
        }
    }

    /// Prints a result.
    public void print(String text) {
        out.println(text);
        out.flush();
    }

    /// Tells what is going on.
    public void note(String text) {
        err.println("homa: " + text);
        err.flush();
    }

    /// Waits until `done`, showing how much of `total` has been done; returns false when `isCancelled` came first.
    boolean await(String task, long total, LongSupplier done, Wait wait) {
        try (ProgressBar bar = isTerminal ? bar(task, total) : null) {
            while (!wait.isOver()) {
                if (wait.isCancelled()) {
                    return false;
                }
                if (bar != null) {
                    bar.stepTo(Math.min(total, done.getAsLong()));
                }
                try {
                    Thread.sleep(TICK_MS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return false;
                }
            }
            return true;
        }
    }

    private static ProgressBar bar(String task, long total) {
        return new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(total)
                .setUpdateIntervalMillis(100)
                .setConsumer(new ConsoleProgressBarConsumer(System.err))
                .build();
    }

    /// What is waited for.
    interface Wait {
        boolean isOver();

        default boolean isCancelled() {
            return false;
        }
    }
}
