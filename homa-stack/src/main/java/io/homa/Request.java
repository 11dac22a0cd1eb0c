package io.homa;

import io.homa.engine.SendResult;
import io.homa.memory.HotPath;
import io.homa.net.IpAddress;
import org.jspecify.annotations.Nullable;

/// A request in the hands of its handler. The object is used again for the next request; it belongs to the thread
/// that polls.
///
/// Answer at once with [#claimResponse] and [#reply], or note [#rpc] and [#clientHost] and answer later by the server
/// that delivered it.
@HotPath
public final class Request {
    private final Outbox outbox;
    private final Message message = new Message();
    private long rpc;
    private long hostHigh;
    private long hostLow;
    private int clientPort;

    Request(Outbox outbox) {
        this.outbox = outbox;
    }

    void begin(long handle, long clientHostHigh, long clientHostLow, int port, long firstPacket, int length) {
        rpc = handle;
        hostHigh = clientHostHigh;
        hostLow = clientHostLow;
        clientPort = port;
        message.wrap(firstPacket, length);
    }

    /// Gives the request's packets back unless they were kept.
    void end() {
        long rest = message.takeRemaining();
        if (rest != 0) {
            outbox.release(rest);
        }
    }

    /// Returns the request's bytes.
    public Message message() {
        return message;
    }

    /// Returns the handle for answering later.
    public long rpc() {
        return rpc;
    }

    /// Returns the client's host as an IPv4 address in network order; 0 for a client over IPv6.
    public int clientHost() {
        return IpAddress.isMapped(hostHigh, hostLow) ? (int) hostLow : 0;
    }

    /// Returns the upper half of the client's IPv6 address, as in [HomaAddress].
    public long clientHostHigh() {
        return hostHigh;
    }

    /// Returns the lower half of the client's IPv6 address; IPv4 addresses are v4-mapped.
    public long clientHostLow() {
        return hostLow;
    }

    /// Claims packets for an answer to a host as [#clientHost] told it.
    static @Nullable MessageWriter claim(Outbox outbox, int clientHost, int length) {
        // How a message is cut depends on the kind of address only.
        return clientHost == 0 ? outbox.claim(1, 0, length) : outbox.claim(0, IpAddress.mapped(clientHost), length);
    }

    /// Returns the client's Homa port.
    public int clientPort() {
        return clientPort;
    }

    /// Claims packets for a response of `length` bytes; null when there are too few now: answer later.
    ///
    /// @throws MessageSizeException if no message can have that length
    public @Nullable MessageWriter claimResponse(int length) {
        MessageSizeException.check(length);
        return outbox.claim(hostHigh, hostLow, length);
    }

    /// Sends the response. A client that has given up meanwhile is no error.
    ///
    /// @return `SendResult.OK`, or negative: the response stays in the writer then, to be sent later or aborted
    public long reply(MessageWriter response) {
        return replyTo(outbox, rpc, response);
    }

    static long replyTo(Outbox outbox, long rpc, MessageWriter response) {
        long first = response.takeWritten();
        long result = outbox.sendResponse(rpc, first, response.length());
        if (result < SendResult.OK) {
            response.restore(first);
        }
        return result;
    }
}
