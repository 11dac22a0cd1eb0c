package io.homa;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// A process that a test started, with its output in a file. Closing ends it.
final class TestProcess implements AutoCloseable {
    private final Process process;
    private final Path output;
    private final List<String> command;

    private TestProcess(Process process, Path output, List<String> command) {
        this.process = process;
        this.output = output;
        this.command = command;
    }

    static TestProcess start(List<String> command) throws IOException {
        Path output = Files.createTempFile("homa-test", ".out");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new TestProcess(process, output, command);
    }

    /// Starts a class of the test class path in a JVM of its own, behind `prefix` (such as `ip netns exec NAME`).
    static TestProcess java(List<String> prefix, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-ea", "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return start(command);
    }

    long pid() {
        return process.pid();
    }

    String output() throws IOException {
        return Files.readString(output);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /// Waits until the output contains `text`.
    void awaitOutput(String text, long seconds) throws IOException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!output().contains(text)) {
            if (!process.isAlive() || System.nanoTime() - deadlineNs > 0) {
                throw new AssertionError("'" + text + "' did not come from " + command + ", but: " + output());
            }
            LockSupport.parkNanos(10_000_000);
        }
    }

    /// Waits for the end and returns the output; anything but exit code 0 fails the test.
    String awaitSuccess(long seconds) throws IOException, InterruptedException {
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            throw new AssertionError("does not end: " + command + ": " + output());
        }
        if (process.exitValue() != 0) {
            throw new AssertionError("exit code " + process.exitValue() + " of " + command + ": " + output());
        }
        return output();
    }

    /// Asks the process to end, and waits until it has.
    void terminate() throws InterruptedException {
        process.destroy();
        process.waitFor(10, TimeUnit.SECONDS);
    }

    /// Runs a command to its end.
    static String run(String... command) throws IOException, InterruptedException {
        try (TestProcess process = start(List.of(command))) {
            return process.awaitSuccess(60);
        }
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        Files.deleteIfExists(output);
    }
}
