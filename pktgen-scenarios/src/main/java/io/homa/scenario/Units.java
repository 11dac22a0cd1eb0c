package io.homa.scenario;

import java.util.Map;
import java.util.regex.Matcher;

/// Values with units, as scenario files have them: `10us`, `25Gbps`, `1MB`, `80%`. Prefixes are decimal, except for
/// `KiB` and `MiB`.
final class Units {
    private static final java.util.regex.Pattern FORM =
            java.util.regex.Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,9})?)\\s?([A-Za-z%]*)");

    private static final Map<String, Double> TIMES = Map.of("ps", 1.0, "ns", 1e3, "us", 1e6, "ms", 1e9, "s", 1e12);
    private static final Map<String, Double> SIZES =
            Map.of("B", 1.0, "KB", 1e3, "MB", 1e6, "GB", 1e9, "KiB", 1_024.0, "MiB", 1_048_576.0);
    private static final Map<String, Double> RATES = Map.of("Mbps", 1e6, "Gbps", 1e9);
    private static final Map<String, Double> SHARES = Map.of("%", 0.01);

    private Units() {}

    /// Returns picoseconds.
    static long timePs(String text) {
        return Math.round(parse(text, TIMES, "a time with ns, us, ms or s, such as 10us"));
    }

    /// Returns bytes, up to 2 GB.
    static int bytes(String text) {
        double bytes = parse(text, SIZES, "a size with B, KB, MB, GB, KiB or MiB, such as 10KB");
        if (bytes < 1 || bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("'" + text + "' is out of range; allowed are 1B to 2.147GB");
        }
        return (int) Math.round(bytes);
    }

    /// Returns bits per second.
    static long bitsPerSecond(String text) {
        return Math.round(parse(text, RATES, "a rate with Mbps or Gbps, such as 25Gbps"));
    }

    /// Returns a share, 0 to 1.
    static double share(String text) {
        double share = parse(text, SHARES, "a share with %, such as 80%");
        if (share > 1) {
            throw new IllegalArgumentException("'" + text + "' is out of range; allowed are 0% to 100%");
        }
        return share;
    }

    private static double parse(String text, Map<String, Double> units, String allowed) {
        Matcher matcher = FORM.matcher(text.strip());
        Double unit = matcher.matches() ? units.get(matcher.group(2)) : null;
        if (unit == null) {
            throw new IllegalArgumentException("'" + text + "' is wrong; allowed is " + allowed);
        }
        return Double.parseDouble(matcher.group(1)) * unit;
    }
}
