package io.homa.scenario;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.homa.fabric.FaultCounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/// What a scenario found, and whether that is what its file expects.
public final class ScenarioResult {
    private final Scenario scenario;
    private final FabricRun.Outcome outcome;

    public ScenarioResult(Scenario scenario, FabricRun.Outcome outcome) {
        this.scenario = scenario;
        this.outcome = outcome;
    }

    /// Returns which expectations failed and by how much, with file and line.
    public List<String> failures() {
        List<String> failures = new ArrayList<>();
        for (Expectation expectation : scenario.expectations()) {
            String complaint = expectation.complaint(value(expectation));
            if (complaint != null) {
                failures.add(scenario.file() + ":" + expectation.line() + ": " + complaint);
            }
        }
        return failures;
    }

    /// Returns why the figures may not be used.
    public List<String> invalidReasons() {
        return outcome.isComplete() ? List.of() : List.of("interrupted");
    }

    private List<TrafficCounts> counts(Expectation of) {
        return outcome.counts().stream()
                .filter(count -> of.pattern() == null || count.name().equals(of.pattern()))
                .toList();
    }

    private double value(Expectation of) {
        List<TrafficCounts> counts = counts(of);
        return switch (of.metric()) {
            case "slowdown_p50" -> slowdown(counts, of.below(), 50);
            case "slowdown_p99" -> slowdown(counts, of.below(), 99);
            case "time_p50_us" ->
                micros(counts.stream().map(TrafficCounts::timesNs).toList(), 50);
            case "time_p99_us" ->
                micros(counts.stream().map(TrafficCounts::timesNs).toList(), 99);
            case "round_p50_us" ->
                micros(counts.stream().map(TrafficCounts::roundsNs).toList(), 50);
            case "round_p99_us" ->
                micros(counts.stream().map(TrafficCounts::roundsNs).toList(), 99);
            case "goodput_gbps" -> counts.stream().mapToDouble(this::goodputBps).sum() / 1e9;
            case "lost_rpcs" -> counts.stream().mapToLong(TrafficCounts::lost).sum();
            case "unfinished" -> outcome.unfinished();
            case "drops" -> outcome.switches().drops();
            case "downlink_percent" -> downlinkPercent();
            case "max_queue_bytes" ->
                Arrays.stream(outcome.switches().maxQueuedBytes()).max().orElse(0);
            default -> throw new IllegalStateException(of.metric());
        };
    }

    private static double slowdown(List<TrafficCounts> counts, int below, double percentile) {
        SlowdownBins together = counts.getFirst().slowdowns().empty();
        counts.forEach(count -> together.add(count.slowdowns()));
        return together.percentileBelow(below, percentile);
    }

    private static double micros(List<Histogram> all, double percentile) {
        Histogram sum = all.getFirst().copy();
        all.subList(1, all.size()).forEach(sum::add);
        return sum.getTotalCount() == 0 ? Double.NaN : sum.getValueAtPercentile(percentile) / 1e3;
    }

    private double goodputBps(TrafficCounts count) {
        return count.measuredBytes() * 8e12 / (scenario.lengthPs() - scenario.warmUpPs());
    }

    private double downlinkPercent() {
        double seconds = (scenario.lengthPs() - scenario.warmUpPs()) / 1e12;
        double linkBytes = scenario.topology().hostBitsPerSecond()
                / 8.0
                * scenario.topology().hosts()
                * seconds;
        return 100 * outcome.downlinkBytes() / linkBytes;
    }

    /// Returns everything as text for people.
    public String table() {
        StringBuilder text = new StringBuilder(2_000);
        text.append(String.format(
                Locale.ROOT,
                "%s: %d hosts, %.3f ms of simulated time, seed %d%n",
                scenario.name(),
                scenario.topology().hosts(),
                scenario.lengthPs() / 1e9,
                scenario.seed()));
        text.append(String.format(
                Locale.ROOT,
                "%-18s %12s %10s %10s %11s %11s%n",
                "traffic",
                "up to bytes",
                "messages",
                "slowdown",
                "p99",
                "time p99"));
        for (TrafficCounts count : outcome.counts()) {
            appendCounts(text, count);
        }
        FaultCounts faults = outcome.faults();
        text.append(String.format(
                Locale.ROOT,
                "links to hosts %.2f %% busy; longest queue %.1f KB; %d packets found no buffer%n",
                downlinkPercent(),
                Arrays.stream(outcome.switches().maxQueuedBytes()).max().orElse(0) / 1e3,
                outcome.switches().drops()));
        if (faults.dropped() + faults.reordered() + faults.duplicated() > 0) {
            text.append(String.format(
                    Locale.ROOT,
                    "faults: %d packets dropped, %d reordered, %d duplicated%n",
                    faults.dropped(),
                    faults.reordered(),
                    faults.duplicated()));
        }
        if (outcome.unfinished() > 0) {
            text.append(outcome.unfinished()).append(" transfers had not ended when the run was given up\n");
        }
        return text.toString().stripTrailing();
    }

    private void appendCounts(StringBuilder text, TrafficCounts count) {
        SlowdownBins bins = count.slowdowns();
        for (int bin = 0; bin < bins.count(); bin++) {
            if (bins.messages(bin) > 0) {
                text.append(String.format(
                        Locale.ROOT,
                        "%-18s %12s %,10d %10.3f %11.3f%n",
                        count.name(),
                        bins.upToBytes(bin) == Integer.MAX_VALUE ? "more" : String.valueOf(bins.upToBytes(bin)),
                        bins.messages(bin),
                        bins.percentile(bin, 50),
                        bins.percentile(bin, 99)));
            }
        }
        text.append(String.format(
                Locale.ROOT,
                "%-18s %12s %,10d %10s %11s %8.1f us; %.3f Gbit/s, %d lost%n",
                count.name(),
                "all",
                count.timesNs().getTotalCount(),
                "",
                "",
                count.timesNs().getTotalCount() == 0 ? 0 : count.timesNs().getValueAtPercentile(99) / 1e3,
                goodputBps(count) / 1e9,
                count.lost()));
        Histogram rounds = count.roundsNs();
        if (rounds.getTotalCount() > 0) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-18s %d rounds: p50 %.1f us, p99 %.1f us%n",
                    count.name(),
                    rounds.getTotalCount(),
                    rounds.getValueAtPercentile(50) / 1e3,
                    rounds.getValueAtPercentile(99) / 1e3));
        }
    }

    /// Returns the JSON of the run, with a line break at its end.
    public String toJson(String started, long elapsedNs) {
        ObjectNode tree = ScenarioJson.head("scenario run", started, elapsedNs, invalidReasons(), outcome);
        tree.put("scenario", scenario.name()).put("seed", scenario.seed());
        tree.put("simulated_ns", scenario.lengthPs() / 1_000);
        ArrayNode results = tree.withArray("results");
        for (TrafficCounts count : outcome.counts()) {
            addResults(results, count);
        }
        tree.put("downlink_load", downlinkPercent() / 100);
        ArrayNode failures = tree.putArray("failed_expectations");
        failures().forEach(failures::add);
        return tree.toPrettyString() + "\n";
    }

    private void addResults(ArrayNode results, TrafficCounts count) {
        SlowdownBins bins = count.slowdowns();
        for (int bin = 0; bin < bins.count(); bin++) {
            if (bins.messages(bin) > 0) {
                ObjectNode row = results.addObject().put("name", "homa").put("metric", "slowdown");
                row.put("traffic", count.name())
                        .put("size", bins.upToBytes(bin))
                        .put("count", bins.messages(bin));
                row.put("slowdown_p50", bins.percentile(bin, 50)).put("slowdown_p99", bins.percentile(bin, 99));
            }
        }
        addTimes(results, count.name(), "rtt_ns", count.timesNs());
        addTimes(results, count.name(), "round_ns", count.roundsNs());
        ObjectNode goodput = results.addObject().put("name", "homa").put("metric", "goodput_bps");
        goodput.put("traffic", count.name()).put("value", goodputBps(count));
    }

    private static void addTimes(ArrayNode results, String traffic, String metric, Histogram times) {
        if (times.getTotalCount() > 0) {
            ObjectNode row = results.addObject()
                    .put("name", "homa")
                    .put("metric", metric)
                    .put("traffic", traffic);
            row.put("count", times.getTotalCount()).put("p50", times.getValueAtPercentile(50));
            row.put("p99", times.getValueAtPercentile(99)).put("max", times.getMaxValue());
        }
    }
}
