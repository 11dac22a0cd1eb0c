package io.homa.bench.load;

import com.fasterxml.jackson.annotation.JsonProperty;

/// A stream of equal requests to one server.
///
/// @param requestBytes length of requests, 8…1,000,000
/// @param responseBytes length of responses, 8…1,000,000
/// @param outstanding most requests on their way at the same time, 1…4096
/// @param perSecond requests per second by the clock; 0 sends as soon as one of `outstanding` is free
public record Flow(
        @JsonProperty("requestBytes") int requestBytes,
        @JsonProperty("responseBytes") int responseBytes,
        @JsonProperty("outstanding") int outstanding,
        @JsonProperty("perSecond") double perSecond) {

    /// Most requests on their way.
    public static final int MAX_OUTSTANDING = 4_096;

    public Flow {
        range("requestBytes", requestBytes, Contents.HEADER_BYTES, 1_000_000);
        range("responseBytes", responseBytes, Contents.HEADER_BYTES, 1_000_000);
        range("outstanding", outstanding, 1, MAX_OUTSTANDING);
        if (!(perSecond >= 0 && perSecond <= 1e8)) {
            throw new IllegalArgumentException("perSecond is " + perSecond + "; allowed are 0 to 1e8");
        }
    }

    private static void range(String name, int value, int low, int high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(name + " is " + value + "; allowed are " + low + " to " + high);
        }
    }

    /// Returns a flow whose responses are as long as its requests, as many as `outstanding` allows.
    public static Flow echo(int bytes, int outstanding) {
        return new Flow(bytes, bytes, outstanding, 0);
    }

    /// Returns a flow of long requests with the shortest responses.
    public static Flow bulk(int bytes, int outstanding) {
        return new Flow(bytes, Contents.HEADER_BYTES, outstanding, 0);
    }

    /// Returns the same at a fixed rate.
    public Flow at(double rate, int mostOutstanding) {
        return new Flow(requestBytes, responseBytes, mostOutstanding, rate);
    }
}
