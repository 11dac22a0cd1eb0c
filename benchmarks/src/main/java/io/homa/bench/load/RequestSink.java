package io.homa.bench.load;

/// Where a [LoadGenerator] sends requests. The generator's thread.
public interface RequestSink {
    /// Sends a request with the contents that [Contents] describes.
    ///
    /// @param slot to be given back with the response
    /// @return false if there is no room now; the generator asks again
    boolean send(int slot, int requestBytes, int responseBytes);
}
