package io.homa.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.homa.bench.peer.Peer;
import io.homa.dpdk.Eal;
import io.homa.scenario.BuildInfo;
import io.homa.scenario.HtmlReport;
import io.homa.scenario.IntegrityCount;
import io.homa.scenario.MachineInfo;
import io.homa.scenario.Measurement;
import io.homa.scenario.RunResult;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/// What all suites of a run gave, and the forms it is written in.
///
/// @param started ISO 8601, UTC
/// @param durationNs time from the first to the last suite
/// @param suites in the order they ran
/// @param problems of the whole run, beside those of the suites
record BenchResult(String started, long durationNs, List<SuiteResult> suites, List<String> problems) {
    private static final String DEVICE = "virtio/vhost, two processes";

    List<Bar.Outcome> outcomes() {
        return suites.stream().flatMap(suite -> suite.outcomes().stream()).toList();
    }

    List<String> allProblems() {
        List<String> all = new ArrayList<>(problems);
        suites.forEach(suite -> all.addAll(suite.problems()));
        return all;
    }

    RunResult summary() {
        IntegrityCount integrity = IntegrityCount.NONE;
        List<Measurement> results = new ArrayList<>();
        List<RunResult.Ratio> ratios = new ArrayList<>();
        for (SuiteResult suite : suites) {
            integrity = integrity.plus(suite.integrity());
            results.addAll(suite.measurements());
            ratios.addAll(suite.ratios());
        }
        double heap = results.stream()
                .filter(m -> m.metric().equals(SuiteResult.HEAP_BYTES_PER_RPC)
                        && m.name().equals(Peer.HOMA.label()))
                .mapToDouble(m -> m.value() == null ? 0 : m.value())
                .findFirst()
                .orElse(0);
        List<String> reasons = allProblems();
        return new RunResult(
                "bench",
                BuildInfo.version(),
                BuildInfo.commit(),
                started,
                durationNs,
                MachineInfo.current(Eal.version(), DEVICE),
                reasons.isEmpty(),
                reasons,
                results,
                ratios,
                integrity,
                new RunResult.Resources(heap, 0, MachineInfo.residentBytes()));
    }

    /// Returns the JSON of all measuring commands, and beside it `bars` and `poll_gaps`.
    String toJson() {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode tree = mapper.valueToTree(summary());
        tree.set("bars", mapper.valueToTree(outcomes()));
        ArrayNode gaps = tree.putArray("poll_gaps");
        suites.forEach(suite -> suite.gaps().forEach(gaps::add));
        return tree.toPrettyString() + "\n";
    }

    /// Returns what is printed.
    String toText() {
        StringBuilder text = new StringBuilder();
        for (SuiteResult suite : suites) {
            text.append(BenchTables.text(BenchTables.figures(suite))).append('\n');
            if (!suite.ratios().isEmpty()) {
                text.append(BenchTables.text(BenchTables.ratios(suite))).append('\n');
            }
            suite.gaps().forEach(line -> text.append("  ").append(line).append('\n'));
            text.append('\n');
        }
        if (!outcomes().isEmpty()) {
            text.append(BenchTables.text(BenchTables.bars(outcomes())));
        }
        allProblems()
                .forEach(problem -> text.append("INVALID: ").append(problem).append('\n'));
        return text.toString().stripTrailing();
    }

    /// Writes `index.html`, `result.json` and one histogram log for all latencies into a directory.
    void writeReport(Path directory, Map<String, String> parameters) throws IOException {
        List<HtmlReport.Table> tables = new ArrayList<>();
        tables.add(BenchTables.bars(outcomes()));
        for (SuiteResult suite : suites) {
            tables.add(BenchTables.figures(suite));
            tables.add(BenchTables.ratios(suite));
        }
        Files.writeString(
                directory.resolve("index.html"),
                HtmlReport.render("Homa beside the floor and other transports", summary(), parameters, tables));
        Files.writeString(directory.resolve("result.json"), toJson());
        writeHistograms(directory.resolve("latency.hlog"));
    }

    /// Every contender and case has a tag; a line is a round.
    private void writeHistograms(Path file) throws IOException {
        try (PrintStream out = new PrintStream(new FileOutputStream(file.toFile()), false, StandardCharsets.UTF_8)) {
            HistogramLogWriter writer = new HistogramLogWriter(out);
            writer.outputLogFormatVersion();
            writer.outputComment("nanoseconds; an interval is a round; started " + started);
            writer.outputLegend();
            for (SuiteResult suite : suites) {
                for (Case of : suite.suite().cases()) {
                    for (Peer peer : suite.suite().peers()) {
                        writeRounds(writer, suite, peer, of);
                    }
                }
            }
        }
    }

    private static void writeRounds(HistogramLogWriter writer, SuiteResult suite, Peer peer, Case of) {
        int round = 1;
        for (Run run : suite.samples().of(peer, of.name())) {
            Histogram times = run.result().flows().getFirst().times();
            if (times.getTotalCount() > 0) {
                times.setTag((suite.suite().name() + "/" + of.name() + "/" + peer.label()).replace(' ', '-'));
                writer.outputIntervalHistogram(round, round + of.load().measureMs() / 1e3, times);
            }
            round++;
        }
    }
}
