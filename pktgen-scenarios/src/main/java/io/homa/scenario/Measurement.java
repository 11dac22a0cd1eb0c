package io.homa.scenario;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// One line of results: percentiles, or a single value. What does not apply is absent.
///
/// @param name who was measured: `homa`, `tcp`, `raw-c`, …
/// @param metric `rtt_ns`, `goodput_bps`, `rpc_per_s`, `packets_per_s` or `slowdown`
/// @param size bytes of a message; of a class of sizes, its largest; absent if all sizes are taken together
/// @param outstanding requests on their way at the same time
/// @param value the figure, of metrics that have no percentiles
/// @param mtu bytes of an IP packet, where results differ in it
/// @param peers hosts that requests went to in turn, where results differ in it
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Measurement(
        @JsonProperty("name") String name,
        @JsonProperty("metric") String metric,
        @JsonProperty("size") @Nullable Integer size,
        @JsonProperty("outstanding") @Nullable Integer outstanding,
        @JsonProperty("count") @Nullable Long count,
        @JsonProperty("min") @Nullable Long min,
        @JsonProperty("p50") @Nullable Long p50,
        @JsonProperty("p90") @Nullable Long p90,
        @JsonProperty("p99") @Nullable Long p99,
        @JsonProperty("p999") @Nullable Long p999,
        @JsonProperty("max") @Nullable Long max,
        @JsonProperty("value") @Nullable Double value,
        @JsonProperty("mtu") @Nullable Integer mtu,
        @JsonProperty("peers") @Nullable Integer peers) {

    /// Metric of round-trip times.
    public static final String RTT_NS = "rtt_ns";

    /// Metric of payload bits delivered per second.
    public static final String GOODPUT_BPS = "goodput_bps";

    /// Metric of RPCs ended per second.
    public static final String RPC_PER_S = "rpc_per_s";

    /// Returns the percentiles of round-trip times.
    public static Measurement rtt(String name, @Nullable Integer size, int outstanding, Histogram times) {
        return new Measurement(
                name,
                RTT_NS,
                size,
                outstanding,
                times.getTotalCount(),
                times.getMinValue(),
                times.getValueAtPercentile(50),
                times.getValueAtPercentile(90),
                times.getValueAtPercentile(99),
                times.getValueAtPercentile(99.9),
                times.getMaxValue(),
                null,
                null,
                null);
    }

    /// Returns a single figure.
    public static Measurement value(String name, String metric, @Nullable Integer size, int outstanding, double value) {
        return new Measurement(
                name, metric, size, outstanding, null, null, null, null, null, null, null, value, null, null);
    }

    /// Returns the same of a packet size and a number of hosts; null leaves them out.
    public Measurement with(@Nullable Integer newMtu, @Nullable Integer newPeers) {
        return new Measurement(
                name, metric, size, outstanding, count, min, p50, p90, p99, p999, max, value, newMtu, newPeers);
    }

    /// Says whether this is about round-trip times of one size or class of sizes.
    @JsonIgnore
    public boolean isRttOfSize() {
        return metric.equals(RTT_NS) && size != null;
    }
}
