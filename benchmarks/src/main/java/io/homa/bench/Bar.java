package io.homa.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What is expected of a figure or a ratio: at most or at least so much.
///
/// @param text what, in one line
/// @param isAtMost whether less is better
/// @param limit what is expected
/// @param unit of figures that are no ratios; empty for ratios
/// @param figure computes it from the rounds; null where it does not apply, such as when the floor is too slow
record Bar(
        String text, boolean isAtMost, double limit, String unit, Function<Samples, Samples.@Nullable Spread> figure) {

    /// How a bar came out.
    ///
    /// @param suite suite it belongs to
    /// @param bar what is expected
    /// @param limit how much
    /// @param isAtMost whether less is better
    /// @param unit of figures that are no ratios
    /// @param value median of the rounds
    /// @param min smallest of the rounds
    /// @param max largest of the rounds
    /// @param isMet whether the median meets it
    record Outcome(
            @JsonProperty("suite") String suite,
            @JsonProperty("bar") String bar,
            @JsonProperty("limit") double limit,
            @JsonProperty("at_most") boolean isAtMost,
            @JsonProperty("unit") String unit,
            @JsonProperty("value") double value,
            @JsonProperty("min") double min,
            @JsonProperty("max") double max,
            @JsonProperty("met") boolean isMet) {

        /// Returns the limit as text.
        String limitText() {
            return (isAtMost ? "≤ " : "≥ ") + number(limit) + (unit.isEmpty() ? "" : " " + unit);
        }

        /// Returns the value with its range as text.
        String valueText() {
            return number(value) + " (" + number(min) + " to " + number(max) + ")" + (unit.isEmpty() ? "" : " " + unit);
        }

        private static String number(double value) {
            return String.format(Locale.ROOT, Math.abs(value) >= 100 ? "%,.0f" : "%.2f", value);
        }
    }

    /// Returns how the bar came out; null if it was not measured or does not apply.
    @Nullable
    Outcome judge(String suite, Samples samples) {
        Samples.Spread spread = figure.apply(samples);
        if (spread == null || spread.sorted().length == 0) {
            return null;
        }
        double value = spread.median();
        boolean isMet = isAtMost ? value <= limit : value >= limit;
        return new Outcome(suite, text, limit, isAtMost, unit, value, spread.min(), spread.max(), isMet);
    }
}
