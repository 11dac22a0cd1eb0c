package io.homa.bench.peer;

import io.homa.HomaAddress;
import io.homa.HomaTransport;
import io.homa.InlineApplication;
import io.homa.InlineClient;
import io.homa.Message;
import io.homa.MessageWriter;
import io.homa.Request;
import io.homa.bench.load.Contents;
import io.homa.bench.load.Load;
import io.homa.bench.load.LoadGenerator;
import io.homa.bench.load.LoadResult;
import io.homa.bench.load.RequestSink;
import io.homa.engine.RpcError;
import io.homa.memory.HotPath;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// This stack with the application on the engine's thread.
final class HomaInline {
    private HomaInline() {}

    /// Answers on the engine's thread.
    static final class Server implements PeerServer, InlineApplication {
        private final Path socket;
        private final HomaTransport transport;

        Server(SideConfig side) {
            socket = HomaConfigs.newSocket(side);
            transport = HomaTransport.open(HomaConfigs.spinning(side, HomaConfigs.server(side, socket)));
            transport.serveInline(HomaConfigs.PORT, this);
        }

        @Override
        public String address() {
            return socket.toString();
        }

        @Override
        @HotPath
        public void onRequest(Request request) {
            HomaMessages.answer(request);
        }

        @Override
        public void close() {
            HomaConfigs.close(transport);
        }
    }

    /// Asks on the engine's thread.
    static final class Client implements PeerClient, InlineApplication, RequestSink {
        private final HomaTransport transport;
        private HomaAddress[] servers = {HomaConfigs.SERVER_ADDRESS};
        private int next;
        private @Nullable InlineClient client;
        private volatile @Nullable LoadGenerator load;

        Client(SideConfig side, String address) {
            this(HomaConfigs.open(HomaConfigs.spinning(side, HomaConfigs.client(side, address))));
        }

        /// Runs on a transport that is open already.
        Client(HomaTransport transport) {
            this.transport = transport;
            transport.runInline(this);
        }

        @Override
        public void onStart(InlineClient inlineClient) {
            client = inlineClient;
        }

        /// Sends to these hosts in turn from the next load on.
        void servers(HomaAddress[] addresses) {
            servers = addresses;
            next = 0;
        }

        @Override
        public LoadResult run(Load wanted) throws InterruptedException {
            LoadGenerator generator = new LoadGenerator(wanted);
            load = generator;
            try {
                return generator.await();
            } finally {
                load = null;
            }
        }

        @Override
        @HotPath
        public int onCycle(long nowNs) {
            LoadGenerator current = load;
            return current == null || current.isDone() ? 0 : current.onCycle(this);
        }

        @Override
        @HotPath
        public boolean send(int slot, int requestBytes, int responseBytes) {
            InlineClient out = client;
            HomaAddress server = servers[next];
            MessageWriter request = out == null ? null : out.claim(server, requestBytes);
            if (out == null || request == null) {
                return false;
            }
            HomaMessages.write(request, slot, responseBytes);
            if (out.send(server, request, slot) < 0) {
                request.abort();
                return false;
            }
            next = next + 1 < servers.length ? next + 1 : 0;
            return true;
        }

        @Override
        @HotPath
        public void onResponse(long cookie, Message response, long rttNs) {
            LoadGenerator current = load;
            if (current != null) {
                boolean isRight = Contents.slot(response.readAddress()) == (int) cookie;
                current.onResponse((int) cookie, HomaMessages.isIntact(response) && isRight);
            }
        }

        @Override
        public void onFailure(long cookie, RpcError error) {
            LoadGenerator current = load;
            if (current != null && error != RpcError.CLOSED) {
                current.fail("an RPC failed: " + error);
            }
        }

        @Override
        public void close() {
            HomaConfigs.close(transport);
        }
    }
}
