package io.homa;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.engine.RpcError;
import io.homa.engine.SendResult;
import io.homa.testing.Item;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The public interface over real DPDK, on the loopback device: one transport is client and server.
@Timeout(120)
class TransportTest {
    private static final int PORT = 4000;
    private static final HomaAddress SERVER = HomaAddress.parse("10.0.0.1:4000");
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static HomaTransport open() {
        return HomaTransport.open(HomaConfig.builder("ring:", "10.0.0.1/24")
                .idle(IdleMode.YIELD)
                .poolPackets(16_384)
                .build());
    }

    /// Echoes on the engine's thread.
    private static final class InlineEcho implements InlineApplication {
        @Override
        public void onRequest(Request request) {
            MessageWriter response = request.claimResponse(request.message().length());
            assertNotNull(response);
            response.putBytes(request.message(), request.message().length());
            assertEquals(SendResult.OK, request.reply(response));
        }
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 1_424, 1_425, 40_000, 40_001, 500_000, 1_000_000})
    void inlineServerEchoesEverySize(int length) throws Exception {
        HomaTransport transport = open();
        try (transport;
                HomaAsyncClient client = transport.asyncClient()) {
            transport.serveInline(PORT, new InlineEcho());
            byte[] request = bytes(length);
            assertArrayEquals(request, client.call(SERVER, request, LIMIT));
        }
        assertEquals(0, transport.leakedPackets());
    }

    @Test
    void polledServerAnswersManyThreads() throws Exception {
        try (HomaTransport transport = open();
                HomaAsyncClient client = transport.asyncClient();
                HomaServer server = transport.server(PORT);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Thread serving = Thread.ofPlatform().daemon().start(() -> pollUntilInterrupted(server));
            List<Future<?>> calls = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                byte[] request = bytes(1 + i * 37 % 5_000);
                calls.add(threads.submit(() -> {
                    assertArrayEquals(request, client.call(SERVER, request, LIMIT));
                    return null;
                }));
            }
            for (Future<?> call : calls) {
                call.get();
            }
            serving.interrupt();
            serving.join();
        }
    }

    private static void pollUntilInterrupted(HomaServer server) {
        while (!Thread.currentThread().isInterrupted()) {
            int served = server.poll(
                    request -> {
                        int length = request.message().length();
                        MessageWriter response = request.claimResponse(length);
                        response.putBytes(request.message(), length);
                        request.reply(response);
                    },
                    16);
            if (served == 0) {
                Thread.yield();
            }
        }
    }

    /// Counts ends of requests.
    private static final class Ends implements ResponseHandler {
        int responses;
        final List<RpcError> failures = new ArrayList<>();

        @Override
        public void onResponse(long cookie, Message response, long rttNs) {
            responses++;
            assertTrue(rttNs > 0);
        }

        @Override
        public void onFailure(long cookie, RpcError error) {
            failures.add(error);
        }
    }

    @Test
    void fullClientIsPushedBackAndLosesNothing() {
        try (HomaTransport transport = open();
                HomaServer server = transport.server(PORT);
                HomaClient client = transport.client()) {
            Ends ends = new Ends();
            int sent = 0;
            while (true) {
                MessageWriter request = client.claim(SERVER, 2_000);
                if (request == null) {
                    break;
                }
                request.putBytes(new byte[2_000], 0, 2_000);
                if (client.send(SERVER, request, sent) < 0) {
                    request.abort();
                    break;
                }
                sent++;
            }
            assertTrue(sent > 100, "sent " + sent);
            assertTrue(sent <= client.maxOutstanding());
            // The server begins to read only now.
            while (ends.responses + ends.failures.size() < sent) {
                server.poll(
                        request -> {
                            MessageWriter response = request.claimResponse(10);
                            while (response == null) {
                                response = request.claimResponse(10);
                            }
                            request.reply(response.putBytes(new byte[10], 0, 10));
                        },
                        16);
                client.poll(ends, 16);
            }
            assertEquals(List.of(), ends.failures);
            assertEquals(0, client.outstanding());
        }
    }

    @Test
    @Item(27)
    void impossibleLengthsAreNamed() {
        try (HomaTransport transport = open();
                HomaClient client = transport.client()) {
            String empty = assertThrows(MessageSizeException.class, () -> client.claim(SERVER, 0))
                    .getMessage();
            assertTrue(empty.contains("is 0") && empty.contains("1000000"), empty);
            String large = assertThrows(MessageSizeException.class, () -> client.claim(SERVER, 1_000_001))
                    .getMessage();
            assertTrue(large.contains("1000001") && large.contains("limit is 1000000"), large);
        }
    }

    @Test
    void closedPortAndTakenPortAreNamed() {
        try (HomaTransport transport = open();
                HomaAsyncClient client = transport.asyncClient()) {
            RpcException refused = assertThrows(
                    RpcException.class, () -> client.call(HomaAddress.parse("10.0.0.1:99"), new byte[1], LIMIT));
            assertEquals(RpcError.PORT_UNREACHABLE, refused.error());
            try (HomaServer first = transport.server(PORT)) {
                assertEquals(PORT, first.homaPort());
                HomaException taken = assertThrows(HomaException.class, () -> transport.server(PORT));
                assertTrue(taken.getMessage().contains("in use"), taken.getMessage());
            }
            assertThrows(HomaException.class, () -> transport.server(40_000));
        }
    }

    @Test
    void unresolvedHostFailsEveryCall() {
        try (HomaTransport transport = open();
                HomaAsyncClient client = transport.asyncClient()) {
            List<CompletableFuture<byte[]>> calls = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                calls.add(client.callAsync(HomaAddress.parse("10.0.0.77:4000"), new byte[100]));
            }
            for (CompletableFuture<byte[]> call : calls) {
                ExecutionException e = assertThrows(ExecutionException.class, call::get);
                RpcError error = ((RpcException) e.getCause()).error();
                assertTrue(error == RpcError.HOST_UNREACHABLE || error == RpcError.TIMED_OUT, error.toString());
            }
        }
    }

    @Test
    void closingTwiceAndInAnyOrderIsHarmless() throws Exception {
        HomaTransport transport = open();
        HomaAsyncClient client = transport.asyncClient();
        HomaServer server = transport.server(PORT);
        CompletableFuture<byte[]> call = client.callAsync(SERVER, new byte[10]);
        Thread other = Thread.ofPlatform().start(transport::close);
        transport.close();
        other.join();
        ExecutionException e = assertThrows(ExecutionException.class, call::get);
        assertEquals(RpcError.CLOSED, ((RpcException) e.getCause()).error());
        client.close();
        client.close();
        server.close();
        server.close();
        assertThrows(HomaException.class, transport::client);
    }

    @Test
    @Item(116)
    void cancelledRequestEndsOnce() {
        try (HomaTransport transport = open();
                HomaServer server = transport.server(PORT);
                HomaClient client = transport.client()) {
            Ends ends = new Ends();
            MessageWriter request = client.claim(SERVER, 10);
            request.putBytes(new byte[10], 0, 10);
            long ticket = client.send(SERVER, request, 7);
            assertTrue(ticket >= 0);
            client.cancel(ticket);
            while (ends.failures.isEmpty()) {
                client.poll(ends, 1);
            }
            client.cancel(ticket);
            assertEquals(List.of(RpcError.CANCELLED), ends.failures);
            assertEquals(0, ends.responses);
            assertEquals(PORT, server.homaPort());
        }
    }
}
