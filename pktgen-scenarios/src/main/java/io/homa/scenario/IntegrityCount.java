package io.homa.scenario;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;

/// What the checks of payloads found.
///
/// @param messages messages received and checked, requests and responses
/// @param bytes their payload bytes, every one compared
/// @param corrupt messages with a wrong byte or length
/// @param lost requests that ended without a response, or never ended
/// @param duplicated requests handed to a server twice, or responses to requests that had ended
public record IntegrityCount(
        @JsonProperty("messages") long messages,
        @JsonProperty("bytes") long bytes,
        @JsonProperty("corrupt") long corrupt,
        @JsonProperty("lost") long lost,
        @JsonProperty("duplicated") long duplicated) {
    /// Nothing checked yet.
    public static final IntegrityCount NONE = new IntegrityCount(0, 0, 0, 0, 0);

    /// Returns the sums.
    public IntegrityCount plus(IntegrityCount other) {
        return new IntegrityCount(
                messages + other.messages,
                bytes + other.bytes,
                corrupt + other.corrupt,
                lost + other.lost,
                duplicated + other.duplicated);
    }

    /// Says whether nothing was wrong.
    @JsonIgnore
    public boolean isClean() {
        return corrupt == 0 && lost == 0 && duplicated == 0;
    }
}
