package io.homa;

import io.homa.engine.RpcError;
import io.homa.engine.SendResult;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The convenient client: blocking calls and futures, from any number of threads, virtual ones included. Messages
/// are byte arrays.
///
/// A thread of the client's own polls and completes futures; what is chained to a future without an executor runs
/// there and should be short. When there is no room to send, callers wait, up to their timeout. Thread-safe.
public final class HomaAsyncClient implements AutoCloseable {
    private static final long POLL_PARK_NS = 20_000;
    private static final int POLL_LIMIT = 64;
    private static final long DEFAULT_ROOM_WAIT_NS = Duration.ofSeconds(5).toNanos();

    private record Call(HomaAddress server, CompletableFuture<byte[]> future) {}

    private final HomaClient client;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, Call> calls = new HashMap<>();
    private final Thread poller;
    private long nextCookie;
    private volatile boolean isClosed;

    HomaAsyncClient(HomaClient client) {
        this.client = client;
        poller = Thread.ofPlatform()
                .daemon()
                .name("homa-client-" + client.homaPort())
                .unstarted(this::pollUntilClosed);
        poller.start();
    }

    /// Sends a request and returns the future of its response, which fails with [RpcException].
    ///
    /// @throws MessageSizeException if the request has no bytes or more than 1,000,000
    /// @throws BackPressureException if there was no room to send for five seconds
    public CompletableFuture<byte[]> callAsync(HomaAddress server, byte[] request) {
        return send(server, request, DEFAULT_ROOM_WAIT_NS).future();
    }

    /// Sends a request and waits for its response.
    ///
    /// @throws RpcException if the RPC ended without a response, or none came in time
    /// @throws MessageSizeException if the request has no bytes or more than 1,000,000
    /// @throws InterruptedException if the thread was interrupted while it waited; the RPC goes on
    public byte[] call(HomaAddress server, byte[] request, Duration timeout) throws InterruptedException {
        Call call = send(server, request, timeout.toNanos());
        try {
            return call.future()
                    .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
                    .get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof HomaException failure) {
                throw failure;
            }
            if (e.getCause() instanceof TimeoutException) {
                throw new RpcException(RpcError.TIMED_OUT, server);
            }
            throw new CompletionException(e.getCause());
        }
    }

    private Call send(HomaAddress server, byte[] request, long roomWaitNs) {
        MessageSizeException.check(request.length);
        long deadlineNs = System.nanoTime() + roomWaitNs;
        while (true) {
            Call call = trySend(server, request);
            if (call != null) {
                return call;
            }
            if (System.nanoTime() - deadlineNs > 0) {
                throw new BackPressureException(
                        "no room to send a request of " + request.length + " bytes to " + server
                                + ": too many are outstanding or the packet pool is exhausted. Slow down, or raise poolPackets.");
            }
            LockSupport.parkNanos(POLL_PARK_NS);
        }
    }

    private @Nullable Call trySend(HomaAddress server, byte[] request) {
        lock.lock();
        try {
            if (isClosed) {
                throw new RpcException(RpcError.CLOSED, server);
            }
            MessageWriter writer = client.claim(server, request.length);
            if (writer == null) {
                return null;
            }
            writer.putBytes(request, 0, request.length);
            long cookie = nextCookie++;
            long result = client.send(server, writer, cookie);
            if (result < 0) {
                writer.abort();
                if (result == SendResult.CLOSED) {
                    throw new RpcException(RpcError.CLOSED, server);
                }
                return null;
            }
            Call call = new Call(server, new CompletableFuture<>());
            calls.put(cookie, call);
            return call;
        } finally {
            lock.unlock();
        }
    }

    private void pollUntilClosed() {
        Ends ends = new Ends();
        int idle = 0;
        while (!isClosed || !calls.isEmpty()) {
            lock.lock();
            try {
                client.poll(ends, POLL_LIMIT);
            } finally {
                lock.unlock();
            }
            idle = ends.completeAll() > 0 ? 0 : idle + 1;
            if (idle > 100) {
                LockSupport.parkNanos(POLL_PARK_NS);
            }
        }
    }

    /// Collects ends under the lock and completes futures outside of it.
    private final class Ends implements ResponseHandler {
        private final Runnable[] completions = new Runnable[POLL_LIMIT];
        private int count;

        @Override
        public void onResponse(long cookie, Message response, long rttNs) {
            Call call = calls.remove(cookie);
            byte[] bytes = new byte[response.length()];
            response.copyTo(bytes, 0);
            if (call != null) {
                completions[count++] = () -> call.future().complete(bytes);
            }
        }

        @Override
        public void onFailure(long cookie, RpcError error) {
            Call call = calls.remove(cookie);
            if (call != null) {
                completions[count++] =
                        () -> call.future().completeExceptionally(new RpcException(error, call.server()));
            }
        }

        private int completeAll() {
            int completed = count;
            for (int i = 0; i < completed; i++) {
                completions[i].run();
            }
            count = 0;
            return completed;
        }
    }

    /// Closes the client: outstanding calls fail with `RpcError.CLOSED`. Does nothing the second time.
    @Override
    public void close() {
        lock.lock();
        try {
            if (isClosed) {
                return;
            }
            client.close();
            isClosed = true;
        } finally {
            lock.unlock();
        }
        if (Thread.currentThread() != poller) {
            joinPoller();
        }
    }

    private void joinPoller() {
        try {
            poller.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
