package io.homa.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads a time with its unit, such as `10s`, `500ms` or `2m`.
public final class DurationConverter implements ITypeConverter<Duration> {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,9})?)(us|ms|s|m|h)");

    @Override
    public Duration convert(String value) {
        Matcher matcher = FORM.matcher(value);
        if (!matcher.matches()) {
            throw new TypeConversionException(
                    "'" + value + "' is not a time; allowed is a number with us, ms, s, m or h, such as 10s");
        }
        double unitNs = switch (matcher.group(2)) {
            case "us" -> 1e3;
            case "ms" -> 1e6;
            case "s" -> 1e9;
            case "m" -> 60e9;
            default -> 3_600e9;
        };
        Duration duration = Duration.ofNanos((long) (Double.parseDouble(matcher.group(1)) * unitNs));
        if (duration.isZero() || duration.compareTo(Duration.ofHours(24)) > 0) {
            throw new TypeConversionException("'" + value + "' is out of range; allowed are above 0 to 24h");
        }
        return duration;
    }
}
