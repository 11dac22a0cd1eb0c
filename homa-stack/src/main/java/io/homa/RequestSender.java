package io.homa;

import io.homa.engine.SendResult;
import io.homa.memory.HotPath;
import org.jspecify.annotations.Nullable;

/// What every client does to send: claims packets, keeps the application's cookie in a slot, and hands the
/// request to an outbox. One thread.
@HotPath
final class RequestSender {
    private final Outbox outbox;
    private final CookieSlots slots;
    private final int endpointIndex;
    private final int homaPort;

    RequestSender(Outbox outbox, int maxOutstanding, int endpointIndex, int homaPort) {
        this.outbox = outbox;
        this.endpointIndex = endpointIndex;
        this.homaPort = homaPort;
        slots = new CookieSlots(maxOutstanding);
    }

    @Nullable
    MessageWriter claim(HomaAddress server, int length) {
        MessageSizeException.check(length);
        return outbox.claim(server.hostHigh(), server.hostLow(), length);
    }

    /// Sends a request and returns its slot, or a negative constant of [SendResult]; the request stays in the
    /// writer then.
    int send(HomaAddress server, MessageWriter request, long cookie) {
        int slot = slots.take(cookie);
        if (slot < 0) {
            return (int) SendResult.BACK_PRESSURED;
        }
        long first = request.takeWritten();
        long result = outbox.sendRequest(server, homaPort, first, request.length(), engineCookie(slot));
        if (result < 0) {
            slots.free(slot);
            request.restore(first);
            return (int) result;
        }
        return slot;
    }

    /// Returns the cookie by which the engine names the request in `slot`: endpoint above slot.
    long engineCookie(int slot) {
        return (long) endpointIndex << 32 | slot;
    }

    /// Ends the request in `slot` and returns the application's cookie.
    long end(int slot) {
        long cookie = slots.cookie(slot);
        slots.free(slot);
        return cookie;
    }

    int outstanding() {
        return slots.outstanding();
    }
}
