package io.homa;

import io.homa.engine.EngineConfig;
import io.homa.memory.HotPath;

/// Classes of message size in which latencies are reported, by the longer of request and response.
public enum SizeClass {
    /// At most 100 B.
    TINY("≤ 100 B", 100),
    /// At most 1 KB.
    SMALL("≤ 1 KB", 1_000),
    /// One packet at MTU 1500.
    ONE_PACKET("≤ 1424 B", 1_424),
    /// At most 10 KB.
    MEDIUM("≤ 10 KB", 10_000),
    /// Sent without a grant by default.
    UNSCHEDULED("≤ 40 KB", 40_000),
    /// At most 100 KB.
    LARGE("≤ 100 KB", 100_000),
    /// Up to the longest message.
    HUGE("≤ 1 MB", EngineConfig.MAX_MESSAGE_LENGTH);

    private static final SizeClass[] ALL = values();

    private final String label;
    private final int maxLength;

    SizeClass(String label, int maxLength) {
        this.label = label;
        this.maxLength = maxLength;
    }

    /// Returns the class as text for tables.
    public String label() {
        return label;
    }

    /// Returns the longest message of the class, in bytes.
    public int maxLength() {
        return maxLength;
    }

    /// Returns the class of a message of `length` bytes.
    @HotPath
    public static SizeClass of(int length) {
        int i = 0;
        while (length > ALL[i].maxLength) {
            i++;
        }
        return ALL[i];
    }
}
