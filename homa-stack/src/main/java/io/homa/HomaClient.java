package io.homa;

import io.homa.engine.RpcError;
import io.homa.memory.HotPath;
import org.jspecify.annotations.Nullable;

/// The polled client: one application thread sends requests and polls for their ends, without allocation.
///
/// Each request ends exactly once, with a response or an error. At most [#maxOutstanding] are on their way;
/// beyond that, and when packets are short, sending is refused, never queued without bound. Belongs to one thread
/// at a time; closing may come from any.
@HotPath
public final class HomaClient implements AutoCloseable {
    private static final RpcError[] ERRORS = RpcError.values();

    private final HomaTransport transport;
    private final PolledEndpoint endpoint;
    private final RingOutbox outbox;
    private final RequestSender requests;
    private final int maxOutstanding;
    private final int[] generations;
    private final Message response = new Message();
    private boolean isClosed;

    HomaClient(HomaTransport transport, CoreShare core, PolledEndpoint endpoint, int maxOutstanding) {
        this.transport = transport;
        this.endpoint = endpoint;
        this.maxOutstanding = maxOutstanding;
        outbox = new RingOutbox(core);
        requests = new RequestSender(outbox, maxOutstanding, endpoint.index(), endpoint.homaPort());
        generations = new int[maxOutstanding];
    }

    /// Returns the client's own Homa port.
    public int homaPort() {
        return endpoint.homaPort();
    }

    /// Returns how many requests may be outstanding.
    public int maxOutstanding() {
        return maxOutstanding;
    }

    /// Returns how many requests are outstanding, those whose end has not been polled included.
    public int outstanding() {
        return requests.outstanding();
    }

    /// Claims packets for a request of `length` bytes; null when there are too few now: poll, then try again.
    ///
    /// @throws MessageSizeException if no message can have that length
    public @Nullable MessageWriter claim(HomaAddress server, int length) {
        return requests.claim(server, length);
    }

    /// Sends a request whose every byte has been written.
    ///
    /// @param cookie any value, given back with the end of the request
    /// @return a ticket for [#cancel], 0 or more; or `SendResult.BACK_PRESSURED` or `SendResult.CLOSED`: the
    ///     request stays in the writer then
    public long send(HomaAddress server, MessageWriter request, long cookie) {
        int slot = requests.send(server, request, cookie);
        return slot < 0 ? slot : ticket(slot);
    }

    /// Generation, this client's number, slot: no client has the ticket of another.
    private long ticket(int slot) {
        return (long) generations[slot] << 32 | (long) endpoint.index() << 16 | slot;
    }

    /// Asks for a request to be ended; its handler gets `RpcError.CANCELLED`, unless the response was faster. The
    /// server is not told. A ticket that is used up, or of another client, changes nothing.
    public void cancel(long ticket) {
        int slot = (int) ticket & 0xFFFF;
        if (slot < maxOutstanding && ticket(slot) == ticket) {
            outbox.cancel(requests.engineCookie(slot));
        }
    }

    /// Hands up to `limit` ends of requests to `handler` and returns how many there were.
    public int poll(ResponseHandler handler, int limit) {
        HandleRing events = endpoint.events();
        int count = 0;
        while (count < limit && events.peek()) {
            long kind = events.get(0);
            int slot = (int) events.get(1);
            long detail = events.get(2);
            long firstPacket = events.get(4);
            int length = (int) events.get(5);
            long rttNs = events.get(6);
            events.advance();
            generations[slot] = (generations[slot] + 1) & Integer.MAX_VALUE;
            long cookie = requests.end(slot);
            if (kind == PolledEndpoint.RESPONSE) {
                deliver(handler, cookie, firstPacket, length, rttNs);
            } else {
                handler.onFailure(cookie, ERRORS[(int) detail]);
            }
            count++;
        }
        return count;
    }

    private void deliver(ResponseHandler handler, long cookie, long firstPacket, int length, long rttNs) {
        response.wrap(firstPacket, length);
        try {
            handler.onResponse(cookie, response, rttNs);
        } finally {
            long rest = response.takeRemaining();
            if (rest != 0) {
                outbox.release(rest);
            }
        }
    }

    /// Gives a kept message back. The client's thread.
    public void release(long kept) {
        outbox.release(kept);
    }

    /// Closes the port: outstanding requests end with `RpcError.CLOSED`, which can still be polled. Does nothing
    /// the second time.
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            transport.closeEndpoint(endpoint);
        }
    }
}
