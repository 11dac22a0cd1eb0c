package io.homa.cli;

import io.homa.SizeClass;
import io.homa.scenario.Measurement;
import io.homa.scenario.RunResult;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Results as text for people.
final class ResultTable {
    private ResultTable() {}

    /// Returns the whole of a result: percentiles, rates, checks.
    static String render(RunResult result) {
        StringBuilder text = new StringBuilder();
        appendTimes(text, result);
        appendRates(text, result);
        appendRatios(text, result);
        var integrity = result.integrity();
        text.append(String.format(
                Locale.ROOT,
                "integrity: %,d messages and %,d bytes checked; %d corrupt, %d lost, %d duplicated%n",
                integrity.messages(),
                integrity.bytes(),
                integrity.corrupt(),
                integrity.lost(),
                integrity.duplicated()));
        for (String reason : result.invalidReasons()) {
            text.append("INVALID: ").append(reason).append('\n');
        }
        return text.toString().stripTrailing();
    }

    private static void appendTimes(StringBuilder text, RunResult result) {
        text.append(String.format(
                Locale.ROOT,
                "%-6s %-10s %10s %10s %10s %10s %10s %10s   round trip in us%n",
                "",
                "size",
                "count",
                "p50",
                "p90",
                "p99",
                "p99.9",
                "max"));
        for (Measurement m : result.results()) {
            if (m.metric().equals(Measurement.RTT_NS)) {
                text.append(String.format(
                        Locale.ROOT,
                        "%-6s %-10s %,10d %10s %10s %10s %10s %10s%n",
                        m.name(),
                        size(m.size(), result.command()),
                        m.count(),
                        micros(m.p50()),
                        micros(m.p90()),
                        micros(m.p99()),
                        micros(m.p999()),
                        micros(m.max())));
            }
        }
    }

    private static void appendRates(StringBuilder text, RunResult result) {
        for (Measurement m : result.results()) {
            Double value = m.value();
            if (value == null) {
                continue;
            }
            String of = m.name() + (m.size() == null ? "" : " " + size(m.size(), result.command()));
            switch (m.metric()) {
                case Measurement.GOODPUT_BPS ->
                    text.append(String.format(
                            Locale.ROOT, "%s: goodput %.3f Gbit/s, both directions together%n", of, value / 1e9));
                case Measurement.RPC_PER_S ->
                    text.append(String.format(Locale.ROOT, "%s: %,.0f RPCs per second%n", of, value));
                default -> text.append(String.format(Locale.ROOT, "%s: %s %,.1f%n", of, m.metric(), value));
            }
        }
    }

    private static void appendRatios(StringBuilder text, RunResult result) {
        for (RunResult.Ratio ratio : result.ratios()) {
            text.append(String.format(
                    Locale.ROOT,
                    "%s / %s: p50 %.2f, p99 %.2f (%s)%n",
                    ratio.of(),
                    ratio.to(),
                    ratio.p50(),
                    ratio.p99(),
                    ratio.metric()));
        }
    }

    /// `demo` reports classes of sizes, the other commands sizes.
    private static String size(@Nullable Integer size, String command) {
        if (size == null) {
            return "all";
        }
        return command.equals("demo") ? SizeClass.of(size).label() : size + " B";
    }

    static String micros(@Nullable Long ns) {
        return ns == null ? "-" : String.format(Locale.ROOT, ns < 10_000_000 ? "%.2f" : "%.0f", ns / 1e3);
    }
}
