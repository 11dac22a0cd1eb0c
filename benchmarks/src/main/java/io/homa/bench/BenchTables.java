package io.homa.bench;

import io.homa.scenario.HtmlReport;
import io.homa.scenario.Measurement;
import io.homa.scenario.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Results as tables: for a terminal, a page, or Markdown.
final class BenchTables {
    private static final List<String> FIGURES =
            List.of("transport", "size", "count", "p50 us", "p90 us", "p99 us", "p99.9 us", "max us", "rate");
    private static final List<String> RATIOS = List.of("ratio", "size", "p50", "p99", "rate", "rounds from", "to");
    private static final List<String> BARS = List.of("bar", "expected", "measured (rounds from, to)", "");

    private BenchTables() {}

    static HtmlReport.Table figures(SuiteResult result) {
        List<List<String>> rows = new ArrayList<>();
        for (Measurement m : result.measurements()) {
            rows.add(List.of(
                    m.name(),
                    size(m),
                    m.count() == null ? "" : String.format(Locale.ROOT, "%,d", m.count()),
                    micros(m.p50()),
                    micros(m.p90()),
                    micros(m.p99()),
                    micros(m.p999()),
                    micros(m.max()),
                    rate(m)));
        }
        String caption = "Times of all rounds together; rates are medians of the rounds."
                + (result.distancesNs().isEmpty() ? "" : " " + distance(result));
        return new HtmlReport.Table(
                result.suite().name() + ": " + result.suite().purpose(), caption, FIGURES, rows);
    }

    private static String distance(SuiteResult result) {
        long[] sorted = result.distancesNs().stream()
                .mapToLong(Long::longValue)
                .sorted()
                .toArray();
        return "A cache line went between the two CPUs and back in " + sorted[sorted.length / 2] + " ns (" + sorted[0]
                + " to " + sorted[sorted.length - 1] + ") before the turns.";
    }

    static HtmlReport.Table ratios(SuiteResult result) {
        List<List<String>> rows = new ArrayList<>();
        for (RunResult.Ratio ratio : result.ratios()) {
            rows.add(List.of(
                    ratio.of() + " / " + ratio.to(),
                    ratio.size() + " B" + (ratio.mtu() == null ? "" : ", MTU " + ratio.mtu()),
                    number(ratio.p50()),
                    number(ratio.p99()),
                    number(ratio.value()),
                    number(ratio.min()),
                    number(ratio.max())));
        }
        return new HtmlReport.Table(
                result.suite().name() + ": ratios",
                "Medians of the ratios of single rounds; the range is that of p50, or of the rate.",
                RATIOS,
                rows);
    }

    static HtmlReport.Table bars(List<Bar.Outcome> outcomes) {
        List<List<String>> rows = outcomes.stream()
                .map(o -> List.of(
                        o.suite() + ": " + o.bar(), o.limitText(), o.valueText(), o.isMet() ? "met" : "not met"))
                .toList();
        return new HtmlReport.Table("What was expected", "Medians of the rounds, with the range.", BARS, rows);
    }

    /// Returns the table for a terminal.
    static String text(HtmlReport.Table table) {
        int[] widths = new int[table.head().size()];
        List<List<String>> all = new ArrayList<>(List.of(table.head()));
        all.addAll(table.rows());
        for (List<String> row : all) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder(table.title()).append('\n');
        for (List<String> row : all) {
            StringBuilder line = new StringBuilder("  ");
            for (int i = 0; i < widths.length; i++) {
                String format = i == 0 ? "%-" + widths[i] + "s" : "  %" + Math.max(1, widths[i]) + "s";
                line.append(String.format(Locale.ROOT, format, row.get(i)));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.append("  ").append(table.caption()).append('\n').toString();
    }

    /// Returns the table as Markdown.
    static String markdown(HtmlReport.Table table) {
        StringBuilder text = new StringBuilder();
        row(text, table.head());
        row(text, table.head().stream().map(_ -> "---").toList());
        table.rows().forEach(row -> row(text, row));
        return text.toString();
    }

    private static void row(StringBuilder text, List<String> cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    private static String size(Measurement m) {
        return m.size() + " B" + (m.mtu() == null ? "" : ", MTU " + m.mtu())
                + (m.peers() == null ? "" : ", " + m.peers() + " peers");
    }

    private static String micros(@Nullable Long ns) {
        return ns == null ? "" : String.format(Locale.ROOT, "%,.2f", ns / 1e3);
    }

    private static String number(@Nullable Double value) {
        return value == null ? "" : String.format(Locale.ROOT, "%.3f", value);
    }

    private static String rate(Measurement m) {
        if (m.value() == null) {
            return "";
        }
        double value = Objects.requireNonNull(m.value());
        return switch (m.metric()) {
            case Measurement.GOODPUT_BPS -> String.format(Locale.ROOT, "%.2f Gbit/s", value / 1e9);
            case Measurement.RPC_PER_S -> String.format(Locale.ROOT, "%.3f million RPC/s", value / 1e6);
            default -> String.format(Locale.ROOT, "%.2f B heap per RPC", value);
        };
    }
}
