package io.homa.bench.load;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/// What came of one flow.
///
/// @param count responses within the measured time
/// @param rpcs responses in all, those of warming up included
/// @param elapsedNs the measured time
/// @param histogram times in nanoseconds of requests sent within it: an HdrHistogram, compressed, in Base64
/// @param late requests that left later than their schedule allows
/// @param largestDelayNs the longest delay behind the schedule
/// @param isMissed whether so many were late that the figures describe another load
/// @param lost requests without a response
/// @param corrupt responses with a wrong byte
public record FlowResult(
        @JsonProperty("count") long count,
        @JsonProperty("rpcs") long rpcs,
        @JsonProperty("elapsedNs") long elapsedNs,
        @JsonProperty("histogram") String histogram,
        @JsonProperty("late") long late,
        @JsonProperty("largestDelayNs") long largestDelayNs,
        @JsonProperty("missed") boolean isMissed,
        @JsonProperty("lost") long lost,
        @JsonProperty("corrupt") long corrupt) {

    private static final long HIGHEST_NS = 100_000_000_000L;

    /// Returns an empty histogram like those of all results.
    public static Histogram newHistogram() {
        return new Histogram(1, HIGHEST_NS, 3);
    }

    /// Adds a time to such a histogram.
    public static void record(Histogram times, long timeNs) {
        times.recordValue(Math.clamp(timeNs, 1, HIGHEST_NS));
    }

    /// Returns the result of a flow without a schedule that lost nothing.
    public static FlowResult of(long count, long rpcs, long elapsedNs, Histogram times) {
        return new FlowResult(count, rpcs, elapsedNs, encode(times), 0, 0, false, 0, 0);
    }

    static String encode(Histogram times) {
        ByteBuffer bytes = ByteBuffer.allocate(times.getNeededByteBufferCapacity());
        int length = times.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(java.util.Arrays.copyOf(bytes.array(), length));
    }

    /// Returns the times.
    public Histogram times() {
        try {
            return Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(histogram)), HIGHEST_NS);
        } catch (DataFormatException e) {
            throw new IllegalArgumentException("not a histogram", e);
        }
    }

    /// Returns responses per second.
    public double perSecond() {
        return elapsedNs == 0 ? 0 : count * 1e9 / elapsedNs;
    }
}
