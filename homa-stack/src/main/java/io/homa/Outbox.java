package io.homa;

import org.jspecify.annotations.Nullable;

/// Where messages of one application thread go out: straight into the engine, or by a ring to the engine's
/// thread. Negative results are those of `SendResult`; the packets stay with the caller then.
sealed interface Outbox permits EngineOutbox, RingOutbox {
    /// Returns this outbox's writer with packets for a message to a host; null if there are too few now.
    @Nullable
    MessageWriter claim(long hostHigh, long hostLow, int length);

    /// Sends a request from a local port; a handle or 0, or negative.
    long sendRequest(HomaAddress server, int clientPort, long firstPacket, int length, long cookie);

    /// Answers a request; 0 or negative.
    long sendResponse(long rpc, long firstPacket, int length);

    /// Cancels the request with this cookie.
    void cancel(long cookie);

    /// Gives received packets back.
    void release(long firstPacket);

    /// Gives packets back that were claimed and not sent.
    void releaseUnsent(long firstPacket);
}
