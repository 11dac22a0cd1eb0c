package io.homa.bench.load;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/// What came of a load.
///
/// @param flows of each flow, in the order of the load
/// @param allocatedBytes heap that the client's process allocated in the measured time
/// @param largestGapNs longest time between two polls of the client's thread in the measured time; 0 if it does
///     not poll
/// @param stalls what disturbed that thread meanwhile
public record LoadResult(
        @JsonProperty("flows") List<FlowResult> flows,
        @JsonProperty("allocatedBytes") long allocatedBytes,
        @JsonProperty("largestGapNs") long largestGapNs,
        @JsonProperty("stalls") Stalls stalls) {

    /// Returns the responses of all flows, those of warming up included.
    @JsonIgnore
    public long rpcs() {
        return flows.stream().mapToLong(FlowResult::rpcs).sum();
    }

    /// Returns one line that [#parse] reads.
    public String toJson() {
        return Load.write(this);
    }

    /// Reads what [#toJson] wrote.
    public static LoadResult parse(String json) {
        return Load.read(json, LoadResult.class);
    }
}
