package io.homa.fabric.faults;

/// What a simulated network or host does to the innocent.
public enum Fault {
    DROP("packets lost"),
    CORRUPT("packets damaged, and dropped by the check sequence"),
    DUPLICATE("packets delivered twice"),
    REORDER("packets held up"),
    TRUNCATE("packets cut short"),
    GARBAGE("packets made up"),
    PARTITION("partitions of the network"),
    CUT_OFF("packets lost between the parts"),
    PAUSE("hosts stopped for a while"),
    RESTART("hosts restarted without memory"),
    NO_BUFFER("packets dropped by a host without free buffers"),
    OVERRUN("packets dropped by the full queue of a paused host");

    private final String meaning;

    Fault(String meaning) {
        this.meaning = meaning;
    }

    /// Returns what is counted, in a few words.
    public String meaning() {
        return meaning;
    }
}
