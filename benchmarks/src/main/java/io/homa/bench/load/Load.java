package io.homa.bench.load;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;

/// What a client does in one measurement.
///
/// @param kind what is measured
/// @param flows the streams of requests that run at the same time
/// @param peers hosts that requests go to in turn; 1 except in suite `scale`
/// @param warmUpMs time before the measurement, whose requests do not count
/// @param measureMs time of the measurement
public record Load(
        @JsonProperty("kind") Kind kind,
        @JsonProperty("flows") List<Flow> flows,
        @JsonProperty("peers") int peers,
        @JsonProperty("warmUpMs") int warmUpMs,
        @JsonProperty("measureMs") int measureMs) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /// What is measured.
    public enum Kind {
        /// Times of single round trips.
        ROUND_TRIPS,
        /// Round trips per second with many on their way.
        RATE,
        /// Payload bits per second in one direction.
        STREAM,
        /// Times of small round trips beside a stream.
        MIXED
    }

    public Load {
        flows = List.copyOf(flows);
        if (flows.isEmpty() || peers < 1 || warmUpMs < 1 || measureMs < 1) {
            throw new IllegalArgumentException("a load needs a flow, a peer and times of at least 1 ms");
        }
    }

    /// Returns the load of one flow to one peer.
    public static Load of(Kind kind, Flow flow, int warmUpMs, int measureMs) {
        return new Load(kind, List.of(flow), 1, warmUpMs, measureMs);
    }

    /// Returns the same load with other times.
    public Load lasting(int newWarmUpMs, int newMeasureMs) {
        return new Load(kind, flows, peers, newWarmUpMs, newMeasureMs);
    }

    /// Returns the flow of a load that has one, or the first.
    @JsonIgnore
    public Flow flow() {
        return flows.getFirst();
    }

    /// Returns one line that [#parse] reads.
    public String toJson() {
        return write(this);
    }

    /// Reads what [#toJson] wrote.
    public static Load parse(String json) {
        return read(json, Load.class);
    }

    static String write(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot be written as JSON: " + value, e);
        }
    }

    static <T> T read(String json, Class<T> type) {
        try {
            return JSON.readValue(json, type);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not a " + type.getSimpleName() + ": " + e.getOriginalMessage(), e);
        }
    }
}
