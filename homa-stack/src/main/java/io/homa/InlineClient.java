package io.homa;

import io.homa.memory.HotPath;
import org.jspecify.annotations.Nullable;

/// Sends requests from the engine's thread. Engine thread only.
@HotPath
public final class InlineClient {
    private final Outbox outbox;
    private final RequestSender requests;

    InlineClient(Outbox outbox, RequestSender requests) {
        this.outbox = outbox;
        this.requests = requests;
    }

    /// Claims packets for a request of `length` bytes; null when there are too few now.
    ///
    /// @throws MessageSizeException if no message can have that length
    public @Nullable MessageWriter claim(HomaAddress server, int length) {
        return requests.claim(server, length);
    }

    /// Sends a request whose every byte has been written.
    ///
    /// @return a value not negative, or a negative one of `SendResult`: the request stays in the writer then
    public long send(HomaAddress server, MessageWriter request, long cookie) {
        return requests.send(server, request, cookie);
    }

    /// Claims packets for an answer given later, to a client's host as `Request.clientHost` told it; null when
    /// there are too few now.
    public @Nullable MessageWriter claimResponse(int clientHost, int length) {
        MessageSizeException.check(length);
        return Request.claim(outbox, clientHost, length);
    }

    /// Answers a request given by its handle. A client that has given up meanwhile is no error.
    ///
    /// @return `SendResult.OK`, or negative: the response stays in the writer then
    public long reply(long rpc, MessageWriter response) {
        return Request.replyTo(outbox, rpc, response);
    }

    /// Gives a kept message back.
    public void release(long kept) {
        outbox.release(kept);
    }
}
