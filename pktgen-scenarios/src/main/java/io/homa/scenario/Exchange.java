package io.homa.scenario;

/// A running exchange of verified messages with a peer that does the same, over whatever transport.
///
/// Any thread starts, stops and watches; results may be read once [#isDrained].
public interface Exchange {
    /// Starts sending; without recording until [#record].
    void start();

    /// Starts or ends the recording of times, bytes and RPCs.
    void record(boolean on);

    /// Starts no more requests; those on their way may end.
    void stop();

    /// Says whether no request is on its way after [#stop].
    boolean isDrained();

    /// Returns how many requests of this side have ended.
    long ended();

    /// Returns how many requests of the other side have been answered.
    long served();

    /// Returns the payload bytes, of requests and responses, of recorded RPCs.
    long recordedBytes();

    /// Returns how many RPCs were recorded.
    long recordedRpcs();

    /// Returns the bytes of heap that the polling thread allocated while recording.
    long allocatedBytes();

    /// Returns the recorded times.
    LatencyBySize latency();

    /// Returns what the checks found; a request that is still on its way counts as lost.
    IntegrityCount integrity();
}
