package io.homa.bench.peer;

import io.homa.bench.load.Load;
import io.homa.bench.load.LoadGenerator;
import io.homa.bench.load.LoadResult;
import io.homa.bench.load.RequestSink;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Kernel TCP through Java NIO: with one thread that polls without a selector, or with blocking reads and writes. One
/// connection for each flow of a load, `TCP_NODELAY`, large buffers, many messages per system call.
final class NioTcp {
    /// A system call that connections should not have to wait for.
    private static final int CYCLES_PER_ACCEPT = 1_024;

    private static final int SOCKET_BUFFER_BYTES = 4 << 20;

    private NioTcp() {}

    private static FramedChannel framed(SocketChannel channel, boolean isBlocking) throws IOException {
        channel.configureBlocking(isBlocking);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return new FramedChannel(channel);
    }

    private static void close(List<FramedChannel> connections) {
        for (FramedChannel connection : connections) {
            try {
                connection.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        connections.clear();
    }

    /// Polls all connections on one thread, or gives each a thread that blocks.
    static final class Server implements PeerServer {
        private final SideConfig side;
        private final boolean isBlocking;
        private final ServerSocketChannel listener;
        private final List<FramedChannel> connections = new ArrayList<>();
        private final Pump pump;
        private int cycles;

        /// @param host address to listen on
        Server(SideConfig side, String host, boolean isBlocking) {
            this.side = side;
            this.isBlocking = isBlocking;
            try {
                listener = ServerSocketChannel.open();
                listener.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER_BYTES);
                listener.bind(new InetSocketAddress(InetAddress.ofLiteral(host), 0));
                listener.configureBlocking(isBlocking);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            pump = new Pump(side, "bench-server", this::cycle);
        }

        private void cycle(@Nullable LoadGenerator load) throws IOException {
            if (isBlocking || cycles++ % CYCLES_PER_ACCEPT == 0) {
                accept();
            }
            for (int i = connections.size() - 1; i >= 0; i--) {
                if (!answer(connections.get(i))) {
                    connections.remove(i).close();
                }
            }
        }

        private void accept() throws IOException {
            SocketChannel accepted = listener.accept();
            if (accepted != null) {
                FramedChannel connection = framed(accepted, isBlocking);
                if (isBlocking) {
                    side.thread("bench-connection", () -> answerUntilClosed(connection))
                            .start();
                } else {
                    connections.add(connection);
                }
            }
        }

        private static void answerUntilClosed(FramedChannel connection) {
            try (connection) {
                boolean isOpen = true;
                while (isOpen) {
                    isOpen = answer(connection);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /// Answers what has arrived; false once the client has gone.
        private static boolean answer(FramedChannel connection) throws IOException {
            if (!connection.fill()) {
                return false;
            }
            while (connection.next()) {
                if (connection.isIntact()) {
                    connection.append(connection.slot(), 0, connection.responseBytes());
                }
            }
            connection.flush();
            return true;
        }

        @Override
        public String address() {
            return listener.socket().getInetAddress().getHostAddress() + ":"
                    + listener.socket().getLocalPort();
        }

        @Override
        public void close() {
            try {
                listener.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            pump.close();
            NioTcp.close(connections);
        }
    }

    /// Asks on one thread.
    static final class Client implements PeerClient, RequestSink {
        private final boolean isBlocking;
        private final List<FramedChannel> connections = new ArrayList<>();
        private final InetSocketAddress server;
        private final Pump pump;
        private int firstOfSecondFlow = Integer.MAX_VALUE;

        Client(SideConfig side, String address, boolean isBlocking) {
            this.isBlocking = isBlocking;
            int colon = address.lastIndexOf(':');
            server = new InetSocketAddress(
                    InetAddress.ofLiteral(address.substring(0, colon)), Integer.parseInt(address.substring(colon + 1)));
            pump = new Pump(side, "bench-client", this::cycle);
        }

        private void cycle(@Nullable LoadGenerator load) throws IOException {
            if (load == null) {
                Thread.onSpinWait();
                return;
            }
            if (!isBlocking) {
                receive(load);
            }
            int sent = load.onCycle(this);
            for (int i = 0; i < connections.size(); i++) {
                connections.get(i).flush();
            }
            if (isBlocking && sent > 0) {
                receive(load);
            }
        }

        private void receive(LoadGenerator load) throws IOException {
            for (int i = 0; i < connections.size(); i++) {
                FramedChannel connection = connections.get(i);
                boolean isComplete;
                do {
                    if (!connection.fill()) {
                        throw new EOFException("the server closed its TCP connection");
                    }
                    isComplete = false;
                    while (connection.next()) {
                        isComplete = true;
                        load.onResponse(connection.slot(), connection.isIntact());
                    }
                } while (isBlocking && !isComplete);
            }
        }

        @Override
        public boolean send(int slot, int requestBytes, int responseBytes) {
            FramedChannel connection = connections.get(slot < firstOfSecondFlow ? 0 : 1);
            return connection.append(slot, responseBytes, requestBytes);
        }

        /// Connects once for each flow, if it has not yet.
        private void connect(Load load) {
            try {
                while (connections.size() < load.flows().size()) {
                    SocketChannel channel = SocketChannel.open();
                    channel.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER_BYTES);
                    channel.connect(server);
                    connections.add(framed(channel, isBlocking));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            firstOfSecondFlow = load.flow().outstanding();
        }

        @Override
        public LoadResult run(Load load) throws InterruptedException {
            connect(load);
            return pump.run(load);
        }

        @Override
        public void close() {
            pump.close();
            NioTcp.close(connections);
        }
    }
}
