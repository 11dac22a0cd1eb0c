package io.homa.engine;

/// Everything an engine counts. Names are stable: other processes and scripts read them. The unit is events unless
/// the
/// text says bytes.
public enum Counter {
    PACKETS_RECEIVED("Homa packets handed to the engine"),
    PACKETS_SENT("Homa packets handed out for transmission"),
    DATA_BYTES_RECEIVED("message bytes received in DATA packets, duplicates included"),
    DATA_BYTES_SENT("message bytes sent for the first time"),
    DATA_BYTES_RESENT("message bytes sent again on request");

    private final String meaning;

    Counter(String meaning) {
        this.meaning = meaning;
    }

    /// Returns what is counted, in one line.
    public String meaning() {
        return meaning;
    }
}
