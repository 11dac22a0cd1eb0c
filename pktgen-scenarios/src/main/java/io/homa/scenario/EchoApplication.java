package io.homa.scenario;

import io.homa.InlineApplication;
import io.homa.InlineClient;
import io.homa.Message;
import io.homa.MessageWriter;
import io.homa.Request;
import io.homa.memory.HotPath;
import org.jspecify.annotations.Nullable;

/// Answers every request with its own bytes, on the engine's thread. Requests that find no room for an answer are
/// kept and answered as soon as there is some.
public final class EchoApplication implements InlineApplication {
    private static final int MAX_WAITING = 16_384;

    /// The endpoint's view of messages, idle between requests.
    private @Nullable Message view;
    private final WaitingRequests waiting = new WaitingRequests(MAX_WAITING);
    private @Nullable InlineClient client;
    private volatile long served;

    @Override
    public void onStart(InlineClient inlineClient) {
        client = inlineClient;
    }

    @Override
    @HotPath
    public void onRequest(Request request) {
        Message message = request.message();
        int length = message.length();
        MessageWriter response = request.claimResponse(length);
        if (response == null) {
            view = message;
            waiting.add(request.rpc(), request.clientHost(), message.keep(), length);
            return;
        }
        response.putBytes(message, length);
        if (request.reply(response) < 0) {
            response.abort();
        }
        count();
    }

    @Override
    @HotPath
    public int onCycle(long nowNs) {
        InlineClient out = client;
        Message kept = view;
        if (waiting.isEmpty() || out == null || kept == null) {
            return 0;
        }
        int length = waiting.length();
        MessageWriter response = out.claimResponse(waiting.clientHost(), length);
        if (response == null) {
            return 0;
        }
        kept.wrapKept(waiting.kept(), length);
        response.putBytes(kept, length);
        out.release(kept.keep());
        if (out.reply(waiting.rpc(), response) < 0) {
            response.abort();
        }
        waiting.remove();
        count();
        return 1;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer, the engine's thread; others only read
    private void count() {
        served++;
    }

    /// Returns how many requests have been answered. Any thread.
    public long served() {
        return served;
    }
}
