package io.homa.scenario;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What one run of a measuring command found, and the JSON of it. Keys never change their meaning; times are in
/// nanoseconds, sizes in bytes, rates per second.
///
/// @param command subcommand that ran
/// @param version version of the program
/// @param git commit it was built from
/// @param started ISO 8601, UTC
/// @param durationNs time that was measured, without warm-up
/// @param machine where it ran
/// @param valid whether the figures may be used
/// @param invalidReasons why not
/// @param results figures
/// @param ratios figures of one name divided by those of another, from the same run
/// @param integrity checks of payloads
/// @param resources memory
public record RunResult(
        @JsonProperty("command") String command,
        @JsonProperty("version") String version,
        @JsonProperty("git") String git,
        @JsonProperty("started") String started,
        @JsonProperty("duration_ns") long durationNs,
        @JsonProperty("machine") MachineInfo machine,
        @JsonProperty("valid") boolean valid,
        @JsonProperty("invalid_reasons") List<String> invalidReasons,
        @JsonProperty("results") List<Measurement> results,
        @JsonProperty("ratios") List<Ratio> ratios,
        @JsonProperty("integrity") IntegrityCount integrity,
        @JsonProperty("resources") Resources resources) {

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    public RunResult {
        invalidReasons = List.copyOf(invalidReasons);
        results = List.copyOf(results);
        ratios = List.copyOf(ratios);
    }

    /// One name's figure divided by another's. What does not apply is absent.
    ///
    /// @param metric metric of both
    /// @param of name above the line
    /// @param to name below the line
    /// @param size bytes of a message, where ratios differ in it
    /// @param mtu bytes of an IP packet, where ratios differ in it
    /// @param p50 ratio of the medians; over several rounds, the median of their ratios
    /// @param p99 the same of the 99th percentiles
    /// @param value the same of metrics that have no percentiles
    /// @param min smallest of the rounds' ratios of medians or values
    /// @param max largest of them
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Ratio(
            @JsonProperty("metric") String metric,
            @JsonProperty("of") String of,
            @JsonProperty("to") String to,
            @JsonProperty("size") @Nullable Integer size,
            @JsonProperty("mtu") @Nullable Integer mtu,
            @JsonProperty("p50") @Nullable Double p50,
            @JsonProperty("p99") @Nullable Double p99,
            @JsonProperty("value") @Nullable Double value,
            @JsonProperty("min") @Nullable Double min,
            @JsonProperty("max") @Nullable Double max) {

        /// Returns the ratio of the percentiles of all sizes together.
        public static Ratio ofPercentiles(String metric, String of, String to, double p50, double p99) {
            return new Ratio(metric, of, to, null, null, p50, p99, null, null, null);
        }
    }

    /// Memory that the run took.
    ///
    /// @param heapBytesPerRpc bytes allocated on the engine's thread for each RPC
    /// @param mbufsLeaked packets missing from the pool after closing
    /// @param rssBytes resident memory of the process
    public record Resources(
            @JsonProperty("heap_bytes_per_rpc") double heapBytesPerRpc,
            @JsonProperty("mbufs_leaked") long mbufsLeaked,
            @JsonProperty("rss_bytes") long rssBytes) {}

    /// Returns the JSON text, with a line break at its end.
    public String toJson() {
        try {
            return JSON.writeValueAsString(this) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a result could not be written as JSON", e);
        }
    }

    /// Reads what [#toJson] wrote.
    ///
    /// @throws IllegalArgumentException if it is something else
    public static RunResult parse(String json) {
        try {
            return JSON.readValue(json, RunResult.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not a result: " + e.getOriginalMessage(), e);
        }
    }
}
