package io.homa;

import io.homa.memory.HotPath;
import org.jspecify.annotations.Nullable;

/// The polled server: one application thread takes requests and answers them, at once or later, without allocation.
///
/// Belongs to one thread at a time; closing may come from any.
@HotPath
public final class HomaServer implements AutoCloseable {
    private final HomaTransport transport;
    private final PolledEndpoint endpoint;
    private final RingOutbox outbox;
    private final Request request;
    private boolean isClosed;

    HomaServer(HomaTransport transport, CoreShare core, PolledEndpoint endpoint) {
        this.transport = transport;
        this.endpoint = endpoint;
        outbox = new RingOutbox(core);
        request = new Request(outbox);
    }

    /// Returns the Homa port that is served.
    public int homaPort() {
        return endpoint.homaPort();
    }

    /// Hands up to `limit` requests to `handler` and returns how many there were.
    public int poll(RequestHandler handler, int limit) {
        HandleRing events = endpoint.events();
        int count = 0;
        while (count < limit && events.peek()) {
            long rpc = events.get(1);
            long hostLow = events.get(2);
            int clientPort = (int) events.get(3);
            long hostHigh = events.get(6);
            long firstPacket = events.get(4);
            int length = (int) events.get(5);
            events.advance();
            request.begin(rpc, hostHigh, hostLow, clientPort, firstPacket, length);
            try {
                handler.onRequest(request);
            } finally {
                request.end();
            }
            count++;
        }
        return count;
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

    /// Gives a kept message back. The server's thread.
    public void release(long kept) {
        outbox.release(kept);
    }

    /// Closes the port; later requests are refused with ICMP port unreachable. Does nothing the second time.
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            transport.closeEndpoint(endpoint);
        }
    }
}
