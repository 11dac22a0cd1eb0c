package io.homa.scenario;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A condition on the results of a scenario.
///
/// @param line line of the file
/// @param metric one of [#METRICS]
/// @param pattern name of the pattern whose transfers count; null for all together
/// @param below only messages of fewer bytes count, for slowdowns
/// @param atLeast lower bound, -infinity for none
/// @param atMost upper bound, infinity for none
record Expectation(int line, String metric, @Nullable String pattern, int below, double atLeast, double atMost) {
    static final List<String> METRICS = List.of(
            "slowdown_p50",
            "slowdown_p99",
            "time_p50_us",
            "time_p99_us",
            "round_p50_us",
            "round_p99_us",
            "goodput_gbps",
            "lost_rpcs",
            "unfinished",
            "drops",
            "downlink_percent",
            "max_queue_bytes");

    /// Reads one of the list `expect`.
    static Expectation read(YamlMap map, List<String> patterns) {
        String metric = map.oneOf("metric", null, METRICS);
        String of = map.optional("of");
        String pattern = null;
        int below = Integer.MAX_VALUE;
        if (of != null && of.startsWith("messages < ")) {
            below = map.get("of", null, Expectation::sizeClass);
        } else if (of != null) {
            pattern = map.oneOf("of", null, patterns);
        }
        boolean hasLeast = map.has("at_least");
        boolean hasBound = map.has("at_most") || hasLeast;
        if (!hasBound) {
            throw map.wrong("metric", "an expectation needs at_least, at_most or both");
        }
        double atLeast = map.has("at_least") ? map.number("at_least", null) : Double.NEGATIVE_INFINITY;
        double atMost = map.has("at_most") ? map.number("at_most", null) : Double.POSITIVE_INFINITY;
        map.end();
        return new Expectation(map.line("metric"), metric, pattern, below, atLeast, atMost);
    }

    private static int sizeClass(String text) {
        int bytes = Units.bytes(text.substring("messages < ".length()));
        if (Arrays.binarySearch(Scenario.SIZES, bytes) < 0) {
            throw new IllegalArgumentException("'" + text + "' is no class of sizes; allowed are "
                    + Arrays.stream(Scenario.SIZES, 0, Scenario.SIZES.length - 1)
                            .mapToObj(size -> size + "B")
                            .collect(Collectors.joining(", ")));
        }
        return bytes;
    }

    /// Returns what is wrong with `value`; null if nothing.
    @Nullable
    String complaint(double value) {
        String name = metric
                + (pattern == null ? "" : " of " + pattern)
                + (below == Integer.MAX_VALUE ? "" : " of messages < " + below + "B");
        if (Double.isNaN(value)) {
            return name + ": nothing was measured";
        }
        if (value > atMost) {
            return String.format(
                    Locale.ROOT, "%s is %.3f, above at_most %.3f by %.3f", name, value, atMost, value - atMost);
        }
        if (value < atLeast) {
            return String.format(
                    Locale.ROOT, "%s is %.3f, below at_least %.3f by %.3f", name, value, atLeast, atLeast - value);
        }
        return null;
    }
}
