package io.homa.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.homa.bench.load.FlowResult;
import io.homa.bench.load.Load;
import io.homa.bench.load.LoadResult;
import io.homa.bench.load.Stalls;
import io.homa.cli.RunFailure;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/// The floor in C: `raw-ping`, two processes for each measurement.
final class RawCContender implements Contender {
    private static final int HEADER_BYTES = 76; // IPv4 and DATA, which frames have in front of their payload
    /// A new process has to touch the pages of its pool first.
    private static final int PAGES_MS = 100;

    private static final int SLACK_SECONDS = 20;

    private final Path program;
    private final Cores cores;
    private final Path directory;
    private int mtu;
    private int runs;

    RawCContender(Cores cores, Path directory) {
        program = Path.of(System.getProperty("homa.home", "."), "native", "target", "build", "raw-ping");
        if (!Files.isExecutable(program)) {
            throw new RunFailure(program + " is missing, the floor of every comparison. Run ./homa setup.");
        }
        this.cores = cores;
        this.directory = directory;
    }

    @Override
    public void open(int newMtu) {
        mtu = newMtu;
    }

    @Override
    public Run run(Load load) {
        String name = "raw-" + ProcessHandle.current().pid() + "-" + runs++;
        Path socket = directory.resolve(name + ".sock");
        Path json = directory.resolve(name + ".json");
        File log = directory.resolve(name + ".log").toFile();
        try {
            Process server = start(log, "server", "vhost:" + socket, cores.server(), List.of());
            try {
                Process client = start(log, "client", "virtio:" + socket, cores.client(), arguments(load, json));
                await(client, load, log);
                await(server, load, log);
            } finally {
                server.destroy();
            }
            return new Run(result(load, new ObjectMapper().readTree(json.toFile())), 0, 0);
        } catch (IOException e) {
            throw new RunFailure("raw-ping cannot run: " + e.getMessage(), e);
        } finally {
            delete(socket);
            delete(json);
            delete(log.toPath());
        }
    }

    private Process start(File log, String role, String device, int cpu, List<String> more) throws IOException {
        List<String> line = new ArrayList<>(List.of(program.toString(), "--role", role, "--device", device));
        line.addAll(List.of("--core", Integer.toString(cpu), "--mtu", Integer.toString(mtu)));
        line.addAll(more);
        return new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
                .start();
    }

    private List<String> arguments(Load load, Path json) {
        boolean isStream = load.kind() == Load.Kind.STREAM;
        int size = isStream ? mtu - HEADER_BYTES : load.flow().requestBytes();
        List<String> arguments = new ArrayList<>(List.of(
                "--mode",
                switch (load.kind()) {
                    case ROUND_TRIPS, MIXED -> "rtt";
                    case RATE -> "rate";
                    case STREAM -> "stream";
                },
                "--seconds",
                String.format(Locale.ROOT, "%.3f", load.measureMs() / 1e3),
                "--warmup",
                String.format(Locale.ROOT, "%.3f", Math.max(PAGES_MS, load.warmUpMs()) / 1e3),
                "--size",
                Integer.toString(size),
                "--json",
                json.toString()));
        if (isStream) {
            arguments.add("--touch");
        }
        if (load.kind() == Load.Kind.RATE) {
            arguments.addAll(
                    List.of("--outstanding", Integer.toString(load.flow().outstanding())));
        }
        return arguments;
    }

    private static void await(Process process, Load load, File log) throws IOException {
        try {
            boolean hasEnded = process.waitFor(load.measureMs() / 1_000 + SLACK_SECONDS, TimeUnit.SECONDS);
            if (!hasEnded) {
                process.destroyForcibly();
            }
            if (!hasEnded || process.exitValue() != 0) {
                throw new RunFailure(
                        "raw-ping failed: " + Files.readString(log.toPath()).strip());
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new RunFailure("interrupted", e);
        }
    }

    private static LoadResult result(Load load, JsonNode json) {
        Histogram times = FlowResult.newHistogram();
        for (JsonNode pair : json.path("histogram")) {
            times.recordValueWithCount(
                    Math.max(1, pair.get(0).asLong()), pair.get(1).asLong());
        }
        JsonNode figure = json.get("results").get(0);
        long elapsedNs = load.measureMs() * 1_000_000L;
        double perSecond = switch (load.kind()) {
            case ROUND_TRIPS, MIXED -> figure.get("count").asDouble() * 1e9 / elapsedNs;
            case RATE -> figure.get("value").asDouble();
            case STREAM -> figure.get("value").asDouble() / 8 / load.flow().requestBytes();
        };
        long count = Math.round(perSecond * elapsedNs / 1e9);
        return new LoadResult(List.of(FlowResult.of(count, count, elapsedNs, times)), 0, 0, Stalls.NONE);
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new RunFailure("cannot remove " + file, e);
        }
    }

    @Override
    public void closeTurn() {} // every measurement has ended its own processes

    @Override
    public void close() {}
}
