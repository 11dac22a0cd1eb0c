package io.homa.bench.peer;

import io.aeron.ControlledFragmentAssembler;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.logbuffer.ControlledFragmentHandler.Action;
import io.homa.bench.load.Contents;
import io.homa.bench.load.Load;
import io.homa.bench.load.LoadGenerator;
import io.homa.bench.load.LoadResult;
import io.homa.bench.load.RequestSink;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/// Aeron over UDP on loopback, with a media driver in each process, or over shared memory (IPC), with one in the
/// server's. A stream in each direction for each flow. See [AeronMessages] for how it is configured.
final class AeronEcho {
    private static final int FLOWS = 2;
    private static final int FIRST_REQUEST_STREAM = 1_000;
    private static final int FIRST_RESPONSE_STREAM = 2_000;
    private static final int FRAGMENTS = 32;
    private static final long CONNECT_LIMIT_NS = 20_000_000_000L;
    private static final String IPC = "aeron:ipc";

    private AeronEcho() {}

    private static Path directory(String side) {
        return Path.of(
                "/dev/shm", "homa-bench-" + side + "-" + ProcessHandle.current().pid());
    }

    private static String udp(int port) {
        return "aeron:udp?endpoint=127.0.0.1:" + port;
    }

    /// Returns a port that nobody uses now.
    private static int freePort() {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0))) {
            return socket.getLocalPort();
        } catch (SocketException e) {
            throw new IllegalStateException("no UDP port is free: " + e.getMessage(), e);
        }
    }

    /// Answers on a polling thread.
    static final class Server implements PeerServer {
        private final AeronMessages messages;
        private final List<Subscription> requests = new ArrayList<>();
        private final List<ControlledFragmentAssembler> assemblers = new ArrayList<>();
        private final String address;
        private final Pump pump;

        Server(SideConfig side, boolean isIpc) {
            Path directory = directory("server");
            messages = AeronMessages.withDriver(side, directory);
            String in = isIpc ? IPC : udp(freePort());
            String out = isIpc ? IPC : udp(freePort());
            for (int flow = 0; flow < FLOWS; flow++) {
                ExclusivePublication responses =
                        messages.aeron().addExclusivePublication(out, FIRST_RESPONSE_STREAM + flow);
                requests.add(messages.aeron().addSubscription(in, FIRST_REQUEST_STREAM + flow));
                assemblers.add(new ControlledFragmentAssembler(
                        (buffer, offset, length, _) -> answer(responses, buffer, offset, length), 0, true));
            }
            address = directory + " " + in + " " + out;
            pump = new Pump(side, "bench-server", this::cycle);
        }

        private void cycle(@Nullable LoadGenerator load) {
            messages.invoke();
            for (int flow = 0; flow < FLOWS; flow++) {
                requests.get(flow).controlledPoll(assemblers.get(flow), FRAGMENTS);
            }
        }

        /// Answers a request that is right, later if there is no room for the response.
        private Action answer(ExclusivePublication out, DirectBuffer buffer, int offset, int length) {
            long at = AeronMessages.address(buffer, offset);
            if (!Contents.isIntact(at, 0, length) || !out.isConnected()) {
                return Action.CONTINUE;
            }
            boolean isSent = messages.send(out, Contents.slot(at), 0, Contents.responseBytes(at));
            return isSent ? Action.CONTINUE : Action.ABORT;
        }

        @Override
        public String address() {
            return address;
        }

        @Override
        public void close() {
            pump.close();
            messages.close();
        }
    }

    /// Asks on a polling thread.
    static final class Client implements PeerClient, RequestSink {
        private final AeronMessages messages;
        private final List<ExclusivePublication> requests = new ArrayList<>();
        private final List<Subscription> responses = new ArrayList<>();
        private final ControlledFragmentAssembler assembler =
                new ControlledFragmentAssembler(this::onResponse, 0, true);
        private final Pump pump;
        private @Nullable LoadGenerator current;
        private volatile int firstOfSecondFlow = Integer.MAX_VALUE;

        Client(SideConfig side, String address, boolean isIpc) {
            String[] parts = address.split(" ", -1);
            messages = isIpc
                    ? AeronMessages.without(Path.of(parts[0]))
                    : AeronMessages.withDriver(side, directory("client"));
            for (int flow = 0; flow < FLOWS; flow++) {
                responses.add(messages.aeron().addSubscription(parts[2], FIRST_RESPONSE_STREAM + flow));
                requests.add(messages.aeron().addExclusivePublication(parts[1], FIRST_REQUEST_STREAM + flow));
            }
            awaitConnection();
            pump = new Pump(side, "bench-client", this::cycle);
        }

        private void awaitConnection() {
            long limitNs = System.nanoTime() + CONNECT_LIMIT_NS;
            while (!requests.stream().allMatch(ExclusivePublication::isConnected)
                    || !responses.stream().allMatch(Subscription::isConnected)) {
                messages.invoke();
                if (System.nanoTime() - limitNs > 0) {
                    throw new IllegalStateException("Aeron did not connect");
                }
            }
        }

        private void cycle(@Nullable LoadGenerator load) {
            current = load;
            messages.invoke();
            for (int flow = 0; flow < FLOWS; flow++) {
                responses.get(flow).controlledPoll(assembler, FRAGMENTS);
            }
            if (load != null) {
                load.onCycle(this);
            }
        }

        private Action onResponse(DirectBuffer buffer, int offset, int length, io.aeron.logbuffer.Header header) {
            LoadGenerator load = current;
            if (load != null) {
                long at = AeronMessages.address(buffer, offset);
                load.onResponse(Contents.slot(at), Contents.isIntact(at, 0, length));
            }
            return Action.CONTINUE;
        }

        @Override
        public boolean send(int slot, int requestBytes, int responseBytes) {
            ExclusivePublication to = requests.get(slot < firstOfSecondFlow ? 0 : 1);
            return messages.send(to, slot, responseBytes, requestBytes);
        }

        @Override
        public LoadResult run(Load load) throws InterruptedException {
            firstOfSecondFlow = load.flow().outstanding();
            return pump.run(load);
        }

        @Override
        public void close() {
            pump.close();
            messages.close();
        }
    }
}
