package io.homa.bench;

import io.homa.bench.load.Load;
import io.homa.bench.peer.Peer;
import io.homa.bench.peer.PeerClient;
import io.homa.bench.peer.PeerServer;
import io.homa.bench.peer.SideConfig;
import io.homa.cli.PeerProcess;
import io.homa.cli.Subcommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/// One side of a transport in a process of its own, led by `bench` through commands on standard input, one a line:
///
/// * `serve MTU` starts the answering side; the answer is its address;
/// * `connect MTU ADDRESS` starts the asking side;
/// * `run LOAD` runs a load, as JSON; so is the answer;
/// * `usage` tells the bytes of heap that this process has allocated, and milliseconds of compilation;
/// * `close` ends what was started.
///
/// The process ends with its input, so it does not outlive the one that started it.
@Command(name = "bench-side", hidden = true, description = "One side of a transport, for homa bench.")
public final class BenchSideCommand implements Subcommand {
    private static final String DONE = "ok ";

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything runs
    private CommandSpec spec;

    @Option(names = "--peer", required = true)
    private String label = "";

    @Option(names = "--cpu", required = true)
    private int cpu;

    @Option(names = "--directory", required = true)
    @SuppressWarnings("NullAway.Init") // picocli requires it
    private Path directory;

    private @Nullable PeerServer server;
    private @Nullable PeerClient client;

    @Override
    public Integer call() throws IOException {
        Peer peer = Peer.named(label)
                .orElseThrow(() -> new CommandLine.ParameterException(
                        spec.commandLine(), "Invalid value for option '--peer': " + label));
        PrintWriter out = spec.commandLine().getOut();
        try (BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                out.println(answer(peer, line));
                out.flush();
            }
        } finally {
            close();
        }
        return CommandLine.ExitCode.OK;
    }

    private String answer(Peer peer, String line) {
        try {
            return DONE + perform(peer, line);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return PeerProcess.FAILED + "interrupted";
        } catch (RuntimeException | LinkageError e) {
            String text = e.getMessage() == null || e instanceof LinkageError ? e.toString() : e.getMessage();
            return PeerProcess.FAILED + label + ": " + text.replace('\n', ' ');
        }
    }

    private String perform(Peer peer, String line) throws InterruptedException {
        String[] words = line.split(" ", 3);
        return switch (words[0]) {
            case "serve" -> {
                PeerServer started = peer.serve(new SideConfig(cpu, Integer.parseInt(words[1]), directory));
                server = started;
                yield started.address();
            }
            case "connect" -> {
                client = peer.connect(new SideConfig(cpu, Integer.parseInt(words[1]), directory), words[2]);
                yield "";
            }
            case "run" -> {
                PeerClient running = client;
                if (running == null) {
                    throw new IllegalStateException("not connected");
                }
                yield running.run(Load.parse(line.substring("run ".length()))).toJson();
            }
            case "usage" -> {
                var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
                long compilationMs = ManagementFactory.getCompilationMXBean().getTotalCompilationTime();
                yield threads.getTotalThreadAllocatedBytes() + " " + compilationMs;
            }
            case "close" -> {
                close();
                yield "";
            }
            default -> throw new IllegalArgumentException("unknown command " + words[0]);
        };
    }

    private void close() {
        PeerClient openClient = client;
        PeerServer openServer = server;
        client = null;
        server = null;
        if (openClient != null) {
            openClient.close();
        }
        if (openServer != null) {
            openServer.close();
        }
    }
}
