package io.homa.scenario;

import io.homa.SizeClass;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A result as one HTML page that needs nothing else: no script, no network. Legible on screens light and dark, in
/// print, and without telling colours apart.
public final class HtmlReport {
    private HtmlReport() {}

    /// A table of the page.
    ///
    /// @param title what it shows, in a few words
    /// @param caption how to read it
    /// @param head names of the columns
    /// @param rows cells, as many in each row as the head has
    public record Table(String title, String caption, List<String> head, List<List<String>> rows) {}

    /// Returns the page.
    ///
    /// @param parameters what the run was asked to do, in order: name and value
    public static String render(String title, RunResult result, Map<String, String> parameters) {
        return render(title, result, parameters, List.of());
    }

    /// Returns the page with more tables, which come before the plots.
    ///
    /// @param parameters what the run was asked to do, in order: name and value
    public static String render(String title, RunResult result, Map<String, String> parameters, List<Table> tables) {
        StringBuilder page = new StringBuilder(100_000);
        page.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>")
                .append(escape(title))
                .append("</title><style>")
                .append(style())
                .append("</style></head><body><main>\n<h1>")
                .append(escape(title))
                .append("</h1>\n");
        appendVerdict(page, result);
        appendFigures(page, result);
        tables.forEach(table -> appendTable(page, table));
        appendPlots(page, result);
        appendTimes(page, result);
        appendDetails(page, result, parameters);
        return page.append("</main></body></html>\n").toString();
    }

    private static void appendVerdict(StringBuilder page, RunResult result) {
        IntegrityCount integrity = result.integrity();
        String checked = String.format(
                Locale.ROOT,
                "%,d messages and %,d bytes checked: %d corrupt, %d lost, %d duplicated",
                integrity.messages(),
                integrity.bytes(),
                integrity.corrupt(),
                integrity.lost(),
                integrity.duplicated());
        page.append("<p class=\"verdict ")
                .append(result.valid() ? "good" : "bad")
                .append("\"><strong>")
                .append(result.valid() ? "✓ Valid run." : "✗ Invalid run.")
                .append("</strong> ")
                .append(escape(checked))
                .append(".</p>\n");
        if (!result.invalidReasons().isEmpty()) {
            page.append("<ul>");
            result.invalidReasons()
                    .forEach(
                            reason -> page.append("<li>").append(escape(reason)).append("</li>"));
            page.append("</ul>\n");
        }
    }

    private static void appendFigures(StringBuilder page, RunResult result) {
        page.append("<div class=\"figures\">");
        for (Measurement m : result.results()) {
            Double value = m.value();
            if (m.size() == null && value != null) {
                boolean isGoodput = m.metric().equals(Measurement.GOODPUT_BPS);
                appendFigure(
                        page,
                        isGoodput
                                ? String.format(Locale.ROOT, "%.2f Gbit/s", value / 1e9)
                                : String.format(Locale.ROOT, "%,.0f RPC/s", value),
                        m.name() + (isGoodput ? ": payload, both directions" : ": requests answered"));
            }
        }
        for (RunResult.Ratio ratio : result.ratios()) {
            if (ratio.size() == null && ratio.p50() != null) {
                appendFigure(
                        page,
                        String.format(Locale.ROOT, "%.2f / %.2f", ratio.p50(), ratio.p99()),
                        ratio.of() + " ÷ " + ratio.to() + ": round trip at p50 / p99, all sizes");
            }
        }
        page.append("</div>\n");
    }

    private static void appendFigure(StringBuilder page, String figure, String meaning) {
        page.append("<div><b>")
                .append(escape(figure))
                .append("</b><span>")
                .append(escape(meaning))
                .append("</span></div>");
    }

    private static void appendTable(StringBuilder page, Table table) {
        page.append("<h2>").append(escape(table.title())).append("</h2>\n<div class=\"wide\"><table><thead><tr>");
        table.head().forEach(cell -> page.append("<th>").append(escape(cell)).append("</th>"));
        page.append("</tr></thead><tbody>\n");
        for (List<String> row : table.rows()) {
            page.append("<tr>");
            for (int i = 0; i < row.size(); i++) {
                String tag = i == 0 ? "th" : "td";
                page.append('<').append(tag).append('>').append(escape(row.get(i)));
                page.append("</").append(tag).append('>');
            }
            page.append("</tr>\n");
        }
        page.append("</tbody></table></div><p>").append(escape(table.caption())).append("</p>\n");
    }

    private static void appendPlots(StringBuilder page, RunResult result) {
        List<Measurement> times =
                result.results().stream().filter(Measurement::isRttOfSize).toList();
        List<Measurement> rates = result.results().stream()
                .filter(m -> m.size() != null
                        && m.value() != null
                        && result.command().equals("bench"))
                .toList();
        if (!times.isEmpty()) {
            page.append("<h2>Round trip by message size</h2>\n");
            appendPlots(page, ReportCharts.plots(times));
        }
        if (!rates.isEmpty()) {
            page.append("<h2>Rates by message size</h2>\n");
            appendPlots(page, ReportCharts.rates(rates));
        }
    }

    private static void appendPlots(StringBuilder page, List<ReportCharts.Plot> plots) {
        for (ReportCharts.Plot plot : plots) {
            page.append("<figure><div class=\"plot\" role=\"img\" aria-label=\"")
                    .append(escape(plot.title()))
                    .append("\">")
                    .append(plot.svg())
                    .append("</div><figcaption>")
                    .append(escape(plot.caption()))
                    .append("</figcaption></figure>\n");
        }
    }

    private static void appendTimes(StringBuilder page, RunResult result) {
        page.append("<h2>Percentiles</h2>\n<div class=\"wide\"><table><thead><tr><th>transport</th><th>size</th>")
                .append("<th>count</th><th>min</th><th>p50</th><th>p90</th><th>p99</th><th>p99.9</th><th>max</th>")
                .append("</tr></thead><tbody>\n");
        for (Measurement m : result.results()) {
            if (m.metric().equals(Measurement.RTT_NS)) {
                page.append("<tr><th>").append(escape(m.name())).append("</th><td>");
                page.append(escape(size(m.size(), result.command()))).append("</td><td>");
                page.append(String.format(Locale.ROOT, "%,d", m.count()));
                for (Long ns : new Long[] {m.min(), m.p50(), m.p90(), m.p99(), m.p999(), m.max()}) {
                    page.append("</td><td>").append(micros(ns));
                }
                page.append("</td></tr>\n");
            }
        }
        page.append("</tbody></table></div><p>Times in microseconds, from before a request is written until its")
                .append(" response is complete.</p>\n");
    }

    private static void appendDetails(StringBuilder page, RunResult result, Map<String, String> parameters) {
        page.append("<h2>How it was measured</h2>\n<div class=\"wide\"><table class=\"details\"><tbody>\n");
        parameters.forEach((name, value) -> appendRow(page, name, value));
        MachineInfo machine = result.machine();
        appendRow(page, "measured for", String.format(Locale.ROOT, "%.2f s", result.durationNs() / 1e9));
        appendRow(page, "started", result.started());
        appendRow(page, "program", result.version() + " (" + result.git() + ")");
        appendRow(page, "processor", machine.cpu() + ", " + machine.cores() + " cores");
        appendRow(page, "kernel", machine.kernel());
        appendRow(page, "JDK", machine.jdk());
        appendRow(page, "DPDK", machine.dpdk());
        appendRow(page, "device", machine.device());
        appendRow(
                page,
                "memory",
                String.format(
                        Locale.ROOT,
                        "%.2f heap bytes per RPC on the polling thread, %d packets leaked, %d MB resident",
                        result.resources().heapBytesPerRpc(),
                        result.resources().mbufsLeaked(),
                        result.resources().rssBytes() >> 20));
        page.append("</tbody></table></div>\n");
    }

    private static void appendRow(StringBuilder page, String name, String value) {
        page.append("<tr><th>")
                .append(escape(name))
                .append("</th><td>")
                .append(escape(value))
                .append("</td></tr>\n");
    }

    private static String size(@Nullable Integer size, String command) {
        if (size == null) {
            return "all";
        }
        return command.equals("demo") ? SizeClass.of(size).label() : size + " B";
    }

    private static String micros(@Nullable Long ns) {
        return ns == null ? "" : String.format(Locale.ROOT, "%,.2f", ns / 1e3);
    }

    /// Returns `text` with what HTML gives a meaning replaced, for element content and quoted attributes.
    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    private static String style() {
        try (InputStream in = HtmlReport.class.getResourceAsStream("/io/homa/scenario/report.css")) {
            if (in == null) {
                throw new IllegalStateException("report.css is missing from this build");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("report.css cannot be read", e);
        }
    }
}
