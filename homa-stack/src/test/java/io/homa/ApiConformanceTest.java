package io.homa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.engine.Counter;
import io.homa.engine.Engine;
import io.homa.engine.RpcError;
import io.homa.engine.SendResult;
import io.homa.testing.Item;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Items of the conformance checklist that an application sees, on the loopback device.
@Timeout(120)
class ApiConformanceTest {
    private static final int PORT = 4000;
    private static final HomaAddress SERVER = HomaAddress.parse("10.0.0.1:4000");

    private static HomaTransport open() {
        return HomaTransport.open(HomaConfig.builder("ring:", "10.0.0.1/24")
                .idle(IdleMode.YIELD)
                .poolPackets(8_192)
                .build());
    }

    @Test
    @Item(
            value = 34,
            deviates = "serving port 0 is refused with a message, where the kernel does nothing and says nothing")
    void portsAreGivenAndRefusedByTheirRange() {
        try (HomaTransport transport = open();
                HomaClient first = transport.client();
                HomaClient second = transport.client();
                HomaServer lowest = transport.server(1);
                HomaServer highest = transport.server(32_767)) {
            assertTrue(first.homaPort() >= 32_768 && second.homaPort() >= 32_768);
            assertNotEquals(first.homaPort(), second.homaPort());
            assertEquals(1, lowest.homaPort());
            assertEquals(32_767, highest.homaPort());
            for (int port : new int[] {-1, 0, 32_768, 65_535, 65_536, 1}) {
                assertThrows(HomaException.class, () -> transport.server(port), "port " + port);
            }
        }
    }

    @Test
    @Item(36)
    void clientsAreNotServers() {
        try (HomaTransport transport = open();
                HomaClient target = transport.client();
                HomaAsyncClient client = transport.asyncClient()) {
            HomaAddress port = HomaAddress.parse("10.0.0.1:" + target.homaPort());
            RpcException refused =
                    assertThrows(RpcException.class, () -> client.call(port, new byte[1], Duration.ofSeconds(30)));
            assertEquals(RpcError.PORT_UNREACHABLE, refused.error());
            assertTrue(target.homaPort() >= Engine.FIRST_CLIENT_PORT);
        }
    }

    @Test
    @Item(33)
    void everyConfigurationStartsItsIdsElsewhere() {
        Set<Long> seeds = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            seeds.add(
                    HomaConfig.builder("ring:", "10.0.0.1/24").build().engine().seed());
        }
        assertEquals(100, seeds.size());
    }

    /// Notes the first byte of every response and the cookie that it came with.
    private static final class Inbox implements ResponseHandler {
        final List<String> ends = new ArrayList<>();

        @Override
        public void onResponse(long cookie, Message response, long rttNs) {
            ends.add(cookie + " " + (char) response.readByte());
        }

        @Override
        public void onFailure(long cookie, RpcError error) {
            ends.add(cookie + " " + error);
        }
    }

    private static long send(HomaClient client, char tag, long cookie) {
        MessageWriter request = client.claim(SERVER, 10);
        request.putByte(tag).putBytes(new byte[9], 0, 9);
        return client.send(SERVER, request, cookie);
    }

    private static void serve(HomaServer server, int requests) {
        for (int served = 0; served < requests; ) {
            served += server.poll(
                    request -> {
                        int length = request.message().length();
                        MessageWriter response = request.claimResponse(length);
                        response.putBytes(request.message(), length);
                        assertEquals(SendResult.OK, request.reply(response));
                    },
                    16);
        }
    }

    private static List<String> await(HomaClient client, int ends) {
        Inbox inbox = new Inbox();
        while (inbox.ends.size() < ends) {
            client.poll(inbox, 16);
        }
        return inbox.ends;
    }

    @Test
    @Item(
            value = 119,
            deviates = "every response is private: it reaches the client that asked and no other, and a ticket of"
                    + " another client does nothing")
    void responsesReachOnlyTheClientThatAsked() {
        try (HomaTransport transport = open();
                HomaServer server = transport.server(PORT);
                HomaClient alice = transport.client();
                HomaClient bob = transport.client();
                HomaClient carol = transport.client()) {
            for (int i = 0; i < 3; i++) {
                send(alice, 'a', i);
                send(bob, 'b', i);
            }
            serve(server, 6);
            assertEquals(Set.of("0 a", "1 a", "2 a"), Set.copyOf(await(alice, 3)));
            assertEquals(Set.of("0 b", "1 b", "2 b"), Set.copyOf(await(bob, 3)));
            long ofAlice = send(alice, 'a', 7);
            long ofBob = send(bob, 'b', 8);
            carol.cancel(ofAlice);
            alice.cancel(ofBob);
            bob.cancel(ofAlice);
            bob.cancel(-1);
            alice.cancel(Long.MAX_VALUE);
            serve(server, 2);
            assertEquals(List.of("7 a"), await(alice, 1));
            assertEquals(List.of("8 b"), await(bob, 1));
            assertEquals(0, carol.poll(new Inbox(), 16));
            assertEquals(0, transport.count(Counter.RPCS_FAILED));
        }
    }
}
