package io.homa.bench.peer;

import io.homa.HomaClient;
import io.homa.HomaConfig;
import io.homa.HomaServer;
import io.homa.HomaTransport;
import io.homa.IdleMode;
import io.homa.Message;
import io.homa.MessageWriter;
import io.homa.Request;
import io.homa.RequestHandler;
import io.homa.ResponseHandler;
import io.homa.bench.load.Contents;
import io.homa.bench.load.Load;
import io.homa.bench.load.LoadGenerator;
import io.homa.bench.load.LoadResult;
import io.homa.bench.load.RequestSink;
import io.homa.engine.RpcError;
import io.homa.memory.HotPath;
import java.nio.file.Path;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.jspecify.annotations.Nullable;

/// This stack with the application on a thread of its own, which polls a ring. Engine and application share the CPU
/// of their side and yield to each other, so that both sides of every comparison have one CPU each; with a CPU for
/// each of them times would be lower by two changes of threads.
final class HomaPolled {
    private static final int LIMIT = 64;

    private HomaPolled() {}

    private static HomaConfig yielding(SideConfig side, HomaConfig.Builder builder) {
        return builder.cpu(side.cpu()).idle(IdleMode.YIELD).build();
    }

    /// Answers on an application's thread.
    static final class Server implements PeerServer, RequestHandler {
        private final Path socket;
        private final HomaTransport transport;
        private final HomaServer server;
        private final YieldingIdleStrategy idle = new YieldingIdleStrategy();
        private final Pump pump;

        Server(SideConfig side) {
            socket = HomaConfigs.newSocket(side);
            transport = HomaTransport.open(yielding(side, HomaConfigs.server(side, socket)));
            server = transport.server(HomaConfigs.PORT);
            pump = new Pump(side, "bench-server", this::poll);
        }

        private void poll(@Nullable LoadGenerator load) {
            idle.idle(server.poll(this, LIMIT));
        }

        @Override
        @HotPath
        public void onRequest(Request request) {
            HomaMessages.answer(request);
        }

        @Override
        public String address() {
            return socket.toString();
        }

        @Override
        public void close() {
            pump.close();
            server.close();
            HomaConfigs.close(transport);
        }
    }

    /// Asks on an application's thread.
    static final class Client implements PeerClient, RequestSink, ResponseHandler {
        private final HomaTransport transport;
        private final HomaClient client;
        private final YieldingIdleStrategy idle = new YieldingIdleStrategy();
        private final Pump pump;
        private @Nullable LoadGenerator current;

        Client(SideConfig side, String address) {
            transport = HomaConfigs.open(yielding(side, HomaConfigs.client(side, address)));
            client = transport.client();
            pump = new Pump(side, "bench-client", this::cycle);
        }

        @HotPath
        private void cycle(@Nullable LoadGenerator load) {
            current = load;
            int work = client.poll(this, LIMIT);
            if (load != null) {
                work += load.onCycle(this);
            }
            idle.idle(work);
        }

        @Override
        @HotPath
        public boolean send(int slot, int requestBytes, int responseBytes) {
            MessageWriter request = client.claim(HomaConfigs.SERVER_ADDRESS, requestBytes);
            if (request == null) {
                return false;
            }
            HomaMessages.write(request, slot, responseBytes);
            if (client.send(HomaConfigs.SERVER_ADDRESS, request, slot) < 0) {
                request.abort();
                return false;
            }
            return true;
        }

        @Override
        @HotPath
        public void onResponse(long cookie, Message response, long rttNs) {
            LoadGenerator load = current;
            if (load != null) {
                boolean isRight = Contents.slot(response.readAddress()) == (int) cookie;
                load.onResponse((int) cookie, HomaMessages.isIntact(response) && isRight);
            }
        }

        @Override
        public void onFailure(long cookie, RpcError error) {
            LoadGenerator load = current;
            if (load != null && error != RpcError.CLOSED) {
                load.fail("an RPC failed: " + error);
            }
        }

        @Override
        public LoadResult run(Load load) throws InterruptedException {
            return pump.run(load);
        }

        @Override
        public void close() {
            pump.close();
            client.close();
            HomaConfigs.close(transport);
        }
    }
}
