package io.homa.scenario;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/// The plots of a report, as SVG. Series differ in marker and dash as well as in colour; the colours are Okabe and
/// Ito's, which most colour-blind people tell apart.
final class ReportCharts {
    private static final Color[] COLOURS = {
        new Color(0x0072B2),
        new Color(0xD55E00),
        new Color(0x009E73),
        new Color(0xCC79A7),
        new Color(0xE69F00),
        new Color(0x56B4E9),
        new Color(0x000000),
        new Color(0xF0E442)
    };
    private static final Marker[] MARKERS = {
        SeriesMarkers.CIRCLE, SeriesMarkers.SQUARE, SeriesMarkers.TRIANGLE_UP, SeriesMarkers.DIAMOND
    };
    private static final float[] @Nullable [] DASHES = {null, {7, 4}, {2, 3}};
    /// With more names than this, a plot of lines shows one percentile only.
    private static final int MOST_NAMES_IN_FULL = 3;

    /// Behind the numbers of plots of times, so that all ids of a page differ.
    private static final int FIRST_RATE_PLOT = 10;

    private static final int WIDTH = 900;
    private static final int HEIGHT = 440;

    /// A plot.
    ///
    /// @param title what it shows, in a few words
    /// @param caption how to read it
    /// @param svg the picture, an element for the body of a page
    record Plot(String title, String caption, String svg) {}

    private record Percentile(String label, Function<Measurement, @Nullable Long> of) {
        double micros(Measurement m) {
            Long ns = of.apply(m);
            return Math.max(1, ns == null ? 0 : ns) / 1e3;
        }
    }

    private static final List<Percentile> PERCENTILES = List.of(
            new Percentile("p50", Measurement::p50),
            new Percentile("p99", Measurement::p99),
            new Percentile("p99.9", Measurement::p999));

    private ReportCharts() {}

    /// Returns the plots of round-trip times by size; one without pictures, but with the reason, where the system
    /// has no fonts.
    static List<Plot> plots(List<Measurement> times) {
        System.setProperty("java.awt.headless", "true");
        try {
            List<Plot> plots = new ArrayList<>();
            if (sizes(times).size() > 1) {
                plots.add(lines(times, plots.size()));
            }
            plots.add(bars(times, plots.size(), PERCENTILES.get(0)));
            plots.add(bars(times, plots.size(), PERCENTILES.get(1)));
            return plots;
        } catch (RuntimeException | LinkageError e) {
            return List.of(new Plot(
                    "no plots",
                    "The plots are missing because Java could not draw (" + e + "). They need a font: "
                            + "apt-get install fontconfig fonts-dejavu-core",
                    ""));
        }
    }

    private static Plot lines(List<Measurement> times, int number) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .xAxisTitle("message size (B)")
                .yAxisTitle("round trip (µs)")
                .build();
        style(chart.getStyler());
        chart.getStyler().setXAxisLogarithmic(true);
        chart.getStyler().setYAxisLogarithmic(true);
        chart.getStyler().setMarkerSize(9);
        double[] range = range(times);
        chart.getStyler().setYAxisMin(range[0]);
        chart.getStyler().setYAxisMax(range[1]);
        List<String> names = names(times);
        boolean isFull = names.size() <= MOST_NAMES_IN_FULL;
        for (int n = 0; n < names.size(); n++) {
            List<Measurement> own = of(times, names.get(n));
            for (int p = 0; p < (isFull ? PERCENTILES.size() : 1); p++) {
                Percentile percentile = PERCENTILES.get(p);
                XYSeries series = chart.addSeries(
                        names.get(n) + " " + percentile.label(),
                        own.stream().mapToDouble(m -> size(m)).toArray(),
                        own.stream().mapToDouble(percentile::micros).toArray());
                Color colour = COLOURS[n % COLOURS.length];
                series.setMarker(MARKERS[(n + 2 * (p % 2)) % MARKERS.length]);
                series.setMarkerColor(colour);
                series.setLineColor(colour);
                series.setLineStyle(new BasicStroke(
                        2.2f,
                        BasicStroke.CAP_BUTT,
                        BasicStroke.JOIN_ROUND,
                        10,
                        DASHES[(isFull ? p : n / COLOURS.length) % DASHES.length],
                        0));
            }
        }
        return new Plot(
                "Round trip by size",
                "Both axes are logarithmic; a point stands at its size, or at the largest size of its class."
                        + (isFull ? " Whole lines are p50, dashed p99, dotted p99.9." : " Lines are p50."),
                svg(chart, number));
    }

    private static Plot bars(List<Measurement> times, int number, Percentile percentile) {
        CategoryChart chart = bars(times, percentile.label() + " round trip (µs)", percentile::micros);
        chart.getStyler().setYAxisMin(range(times)[0]);
        chart.getStyler().setYAxisMax(range(times)[1]);
        return new Plot(
                percentile.label() + " by size",
                "Round trips at " + percentile.label() + ", lower is better; in each group, from left to right: "
                        + String.join(", ", names(times)) + ". The axis is logarithmic.",
                svg(chart, number));
    }

    private static CategoryChart bars(List<Measurement> all, String axis, ToDoubleFunction<Measurement> height) {
        CategoryChart chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT - 60)
                .xAxisTitle("message size, up to (B)")
                .yAxisTitle(axis)
                .build();
        style(chart.getStyler());
        chart.getStyler().setYAxisLogarithmic(true);
        chart.getStyler().setAvailableSpaceFill(0.75);
        List<Integer> sizes = sizes(all);
        List<String> names = names(all);
        for (int n = 0; n < names.size(); n++) {
            List<Number> values = new ArrayList<>();
            for (int size : sizes) {
                double value = of(all, names.get(n)).stream()
                        .filter(m -> size(m) == size)
                        .mapToDouble(height)
                        .findFirst()
                        .orElse(Double.NaN);
                values.add(Double.isNaN(value) ? null : value);
            }
            chart.addSeries(
                            names.get(n),
                            sizes.stream()
                                    .map(s -> String.format(java.util.Locale.ROOT, "%,d", s))
                                    .toList(),
                            values)
                    .setFillColor(COLOURS[n % COLOURS.length]);
        }
        return chart;
    }

    /// Returns the plots of rates by size, one for each metric and size of packets; none where the system has no fonts,
    /// which [#plots] says.
    static List<Plot> rates(List<Measurement> rates) {
        System.setProperty("java.awt.headless", "true");
        try {
            List<Plot> plots = new ArrayList<>();
            Map<String, List<Measurement>> kinds = new LinkedHashMap<>();
            for (Measurement m : rates) {
                String kind = m.metric() + (m.mtu() == null ? "" : ", MTU " + m.mtu());
                kinds.computeIfAbsent(kind, _ -> new ArrayList<>()).add(m);
            }
            kinds.forEach((kind, own) -> {
                CategoryChart chart =
                        bars(own, kind, m -> Math.max(1e-3, Objects.requireNonNullElse(m.value(), Double.NaN)));
                String caption = "From left to right in each group: " + String.join(", ", names(own))
                        + ". The axis is logarithmic.";
                plots.add(new Plot(kind, caption, svg(chart, FIRST_RATE_PLOT + plots.size())));
            });
            return plots;
        } catch (RuntimeException | LinkageError e) {
            return List.of();
        }
    }

    /// Returns the powers of ten around everything that is drawn, so that all plots of a page have the same axis.
    private static double[] range(List<Measurement> times) {
        double smallest =
                times.stream().mapToDouble(PERCENTILES.getFirst()::micros).min().orElse(1);
        double largest =
                times.stream().mapToDouble(PERCENTILES.getLast()::micros).max().orElse(1);
        return new double[] {
            Math.pow(10, Math.floor(Math.log10(smallest * 0.9))), Math.pow(10, Math.ceil(Math.log10(largest * 1.1)))
        };
    }

    private static void style(AxesChartStyler styler) {
        Font font = new Font(Font.SANS_SERIF, Font.PLAIN, 14);
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setPlotBackgroundColor(Color.WHITE);
        styler.setPlotGridLinesColor(new Color(0xD0D0D0));
        styler.setChartFontColor(new Color(0x1A1A1A));
        styler.setAxisTickLabelsFont(font);
        styler.setAxisTitleFont(font);
        styler.setLegendFont(font);
        styler.setLegendPosition(Styler.LegendPosition.OutsideE);
        styler.setLegendBorderColor(Color.WHITE);
        styler.setXAxisDecimalPattern("#,##0");
        styler.setYAxisDecimalPattern("#,##0.###");
        styler.setPlotBorderVisible(false);
        styler.setAntiAlias(true);
    }

    private static int size(Measurement m) {
        return Objects.requireNonNull(m.size());
    }

    private static List<Integer> sizes(List<Measurement> times) {
        return times.stream().map(ReportCharts::size).sorted().distinct().toList();
    }

    private static List<String> names(List<Measurement> times) {
        return List.copyOf(
                new LinkedHashSet<>(times.stream().map(Measurement::name).toList()));
    }

    private static List<Measurement> of(List<Measurement> times, String name) {
        return times.stream().filter(m -> m.name().equals(name)).toList();
    }

    private static String svg(Chart<?, ?> chart, int number) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            VectorGraphicsEncoder.saveVectorGraphic(chart, bytes, VectorGraphicsFormat.SVG);
        } catch (IOException e) {
            throw new IllegalStateException("a plot could not be drawn", e);
        }
        String document = bytes.toString(StandardCharsets.UTF_8);
        // Several plots share a page: their ids must differ, and only the element belongs into it.
        return document.substring(document.indexOf("<svg"))
                .replace("id=\"", "id=\"plot" + number + "-")
                .replace("url(#", "url(#plot" + number + "-")
                .replaceFirst(" width=\"[^\"]*\" height=\"[^\"]*\"", "");
    }
}
