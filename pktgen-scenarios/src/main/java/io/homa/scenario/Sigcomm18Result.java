package io.homa.scenario;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.homa.fabric.PortLevel;
import io.homa.fabric.SwitchStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/// What a run of the SIGCOMM 2018 simulation found, beside what was published.
public final class Sigcomm18Result {
    /// Messages that a size class must have for its percentiles to be compared.
    public static final int LEAST_MESSAGES = 1_000;

    private static final String NAME = "homa";

    private final Sigcomm18 setup;
    private final String preset;
    private final int runs;
    private final FabricRun.Outcome outcome;
    private final SlowdownBins slowdowns;
    private final List<PublishedSlowdown.Bin> published;

    public Sigcomm18Result(Sigcomm18 setup, String preset, int runs, FabricRun.Outcome outcome) {
        this.setup = setup;
        this.preset = preset;
        this.runs = runs;
        this.outcome = outcome;
        slowdowns = outcome.counts().getFirst().slowdowns();
        published = setup.published();
    }

    /// Returns why the figures may not be used; empty if they may.
    public List<String> invalidReasons() {
        List<String> reasons = new ArrayList<>();
        if (!outcome.isComplete()) {
            reasons.add("interrupted");
        }
        long lost = outcome.counts().getFirst().lost();
        if (lost > 0) {
            reasons.add(lost + " messages were lost");
        }
        if (outcome.unfinished() > 0) {
            reasons.add(outcome.unfinished() + " messages had not arrived when the run was given up");
        }
        return reasons;
    }

    public boolean isValid() {
        return invalidReasons().isEmpty();
    }

    /// Returns the median over size classes with enough messages of |ours / published - 1|; NaN if there is none.
    public double deviation(int percentile) {
        double[] all = comparedBins().stream()
                .mapToDouble(bin -> Math.abs(ratio(bin, percentile) - 1))
                .sorted()
                .toArray();
        int half = all.length / 2;
        return all.length == 0 ? Double.NaN : all.length % 2 == 1 ? all[half] : (all[half - 1] + all[half]) / 2;
    }

    private double meanBias(int percentile) {
        return comparedBins().stream()
                .mapToDouble(bin -> ratio(bin, percentile) - 1)
                .average()
                .orElse(Double.NaN);
    }

    private double worst(int percentile) {
        return comparedBins().stream()
                .mapToDouble(bin -> Math.abs(ratio(bin, percentile) - 1))
                .max()
                .orElse(Double.NaN);
    }

    private double ratio(int bin, int percentile) {
        PublishedSlowdown.Bin theirs = published.get(bin);
        return slowdowns.percentile(bin, percentile) / (percentile == 50 ? theirs.p50() : theirs.p99());
    }

    private List<Integer> comparedBins() {
        List<Integer> compared = new ArrayList<>();
        for (int bin = 0; bin < published.size(); bin++) {
            if (slowdowns.messages(bin) >= LEAST_MESSAGES) {
                compared.add(bin);
            }
        }
        return compared;
    }

    /// Returns simulated events for each second of processor time.
    public double eventsPerCoreSecond() {
        return outcome.events() * 1e9 / Math.max(1, outcome.cpuNs());
    }

    /// Returns the bytes on links to hosts in the measured time, in percent of what they can carry.
    public double downlinkPercent() {
        return percentOfLinks(outcome.downlinkBytes(), setup.lengthPs() - setup.warmUpPs());
    }

    /// Returns the same of the second half of the run.
    public double secondHalfPercent() {
        return percentOfLinks(outcome.secondHalfBytes(), setup.lengthPs() / 2);
    }

    private double percentOfLinks(long bytes, long ps) {
        double linkBytes = 144.0 * 10e9 / 8 * ps / 1e12;
        return 100 * bytes / linkBytes / runs;
    }

    /// Returns everything as text for people.
    public String table() {
        StringBuilder text = new StringBuilder(8_000);
        text.append(String.format(
                Locale.ROOT,
                "sigcomm18 %s at %d %%, %s rules, %d x %.0f ms, seed %d: slowdown by message size%n",
                setup.workload(),
                setup.loadPercent(),
                setup.usesPaperRules() ? "paper" : "kernel",
                runs,
                setup.lengthPs() / 1e9,
                setup.seed()));
        text.append(String.format(
                Locale.ROOT,
                "%12s %12s %9s %9s %7s %9s %9s %7s%n",
                "up to bytes",
                "messages",
                "p50",
                "published",
                "%",
                "p99",
                "published",
                "%"));
        for (int bin = 0; bin < slowdowns.count(); bin++) {
            appendBin(text, bin);
        }
        appendSummary(text);
        return text.toString().stripTrailing();
    }

    private void appendBin(StringBuilder text, int bin) {
        if (slowdowns.messages(bin) == 0) {
            return;
        }
        text.append(String.format(Locale.ROOT, "%,12d %,12d", slowdowns.upToBytes(bin), slowdowns.messages(bin)));
        for (int percentile : new int[] {50, 99}) {
            text.append(String.format(Locale.ROOT, " %9.3f", slowdowns.percentile(bin, percentile)));
            if (!published.isEmpty()) {
                PublishedSlowdown.Bin theirs = published.get(bin);
                text.append(String.format(
                        Locale.ROOT,
                        " %9.3f %+7.1f",
                        percentile == 50 ? theirs.p50() : theirs.p99(),
                        100 * ratio(bin, percentile) - 100));
            }
        }
        text.append(slowdowns.messages(bin) < LEAST_MESSAGES ? "  too few to compare\n" : "\n");
    }

    private void appendSummary(StringBuilder text) {
        SwitchStatistics switches = outcome.switches();
        for (PortLevel level : PortLevel.values()) {
            text.append(String.format(
                    Locale.ROOT,
                    "queue, %s: mean %.1f KB, most %.1f KB%n",
                    level.label(),
                    switches.meanQueuedBytes()[level.ordinal()] / 1e3,
                    switches.maxQueuedBytes()[level.ordinal()] / 1e3));
        }
        text.append(String.format(
                Locale.ROOT,
                "links to hosts: %.2f %% busy, %.2f %% in the second half; %d packets dropped%n",
                downlinkPercent(),
                secondHalfPercent(),
                switches.drops()));
        if (published.isEmpty()) {
            text.append("nothing was published for this load\n");
            return;
        }
        for (int percentile : new int[] {50, 99}) {
            text.append(String.format(
                    Locale.ROOT,
                    "p%d: deviation from published %.2f %% (median of %d sizes with %,d messages or more), "
                            + "mean %+.2f %%, worst %.1f %%%n",
                    percentile,
                    100 * deviation(percentile),
                    comparedBins().size(),
                    LEAST_MESSAGES,
                    100 * meanBias(percentile),
                    100 * worst(percentile)));
        }
    }

    /// Returns the JSON of the run, with a line break at its end.
    public String toJson(String started, long elapsedNs) {
        ObjectNode tree = ScenarioJson.head("scenario run sigcomm18", started, elapsedNs, invalidReasons(), outcome);
        tree.set("scenario", new ObjectMapper().valueToTree(setup));
        tree.put("preset", preset);
        tree.put("runs", runs);
        ArrayNode results = tree.withArray("results");
        for (int bin = 0; bin < slowdowns.count(); bin++) {
            if (slowdowns.messages(bin) > 0) {
                ObjectNode row = results.addObject();
                row.put("name", NAME).put("metric", "slowdown").put("size", slowdowns.upToBytes(bin));
                row.put("count", slowdowns.messages(bin));
                row.put("slowdown_p50", slowdowns.percentile(bin, 50));
                row.put("slowdown_p99", slowdowns.percentile(bin, 99));
                put(row, "published_p50", bin, PublishedSlowdown.Bin::p50);
                put(row, "published_p99", bin, PublishedSlowdown.Bin::p99);
            }
        }
        if (!comparedBins().isEmpty()) {
            ObjectNode deviation = tree.putObject("deviation");
            deviation.put("p50", deviation(50)).put("p99", deviation(99));
            deviation.put("sizes", comparedBins().size());
        }
        tree.put("downlink_load", downlinkPercent() / 100);
        tree.put("downlink_load_second_half", secondHalfPercent() / 100);
        return tree.toPrettyString() + "\n";
    }

    private void put(ObjectNode row, String key, int bin, ToDoubleFunction<PublishedSlowdown.Bin> value) {
        if (!published.isEmpty()) {
            row.put(key, value.applyAsDouble(published.get(bin)));
        }
    }
}
