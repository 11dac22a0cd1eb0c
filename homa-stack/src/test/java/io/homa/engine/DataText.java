package io.homa.engine;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The fields of a DATA packet that the fixture showed as text.
record DataText(long id, int offset, int bytes, int length, int incoming, boolean isRetransmission, int priority) {
    private static final Pattern FORM =
            Pattern.compile("DATA (\\d+)(?: \\d+>\\d+)? (\\d+)\\+(\\d+)/(\\d+) in=(\\d+) v=\\d+(.*) @p(\\d)");

    static DataText of(String text) {
        Matcher match = FORM.matcher(text);
        if (!match.matches()) {
            throw new AssertionError("not DATA: " + text);
        }
        return new DataText(
                Long.parseLong(match.group(1)),
                Integer.parseInt(match.group(2)),
                Integer.parseInt(match.group(3)),
                Integer.parseInt(match.group(4)),
                Integer.parseInt(match.group(5)),
                match.group(6).contains("retrans"),
                Integer.parseInt(match.group(7)));
    }

    /// Returns the DATA among `packets`.
    static List<DataText> all(List<String> packets) {
        return packets.stream()
                .filter(p -> p.startsWith("DATA "))
                .map(DataText::of)
                .toList();
    }

    int end() {
        return offset + bytes;
    }
}
