package io.homa;

import io.homa.engine.SendResult;
import io.homa.memory.HotPath;
import io.homa.net.IpAddress;
import org.jspecify.annotations.Nullable;

/// Sends requests from the engine's thread. Engine thread only.
@HotPath
public final class InlineClient {
    private final Outbox outbox;
    private final InlineEndpoint endpoint;

    InlineClient(Outbox outbox, InlineEndpoint endpoint) {
        this.outbox = outbox;
        this.endpoint = endpoint;
    }

    /// Claims packets for a request of `length` bytes; null when there are too few now.
    ///
    /// @throws MessageSizeException if no message can have that length
    public @Nullable MessageWriter claim(HomaAddress server, int length) {
        MessageSizeException.check(length);
        return outbox.claim(server.hostLow(), length);
    }

    /// Sends a request.
    ///
    /// @return a value not negative, or a negative one of `SendResult`: the request stays in the writer then
    public long send(HomaAddress server, MessageWriter request, long cookie) {
        int slot = endpoint.takeSlot(cookie);
        if (slot < 0) {
            return SendResult.BACK_PRESSURED;
        }
        long first = request.take();
        long result =
                outbox.sendRequest(server, endpoint.homaPort(), first, request.length(), endpoint.engineCookie(slot));
        if (result < 0) {
            endpoint.freeSlot(slot);
            request.restore(first);
        }
        return result;
    }

    /// Claims packets for an answer given later, to a client's host as `Request.clientHost` told it; null when
    /// there are too few now.
    public @Nullable MessageWriter claimResponse(int clientHost, int length) {
        MessageSizeException.check(length);
        return outbox.claim(IpAddress.mapped(clientHost), length);
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
