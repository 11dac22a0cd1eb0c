package io.homa.bench.peer;

import io.grpc.CallOptions;
import io.grpc.KnownLength;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.homa.bench.load.Contents;
import io.homa.bench.load.Flow;
import io.homa.bench.load.Load;
import io.homa.bench.load.LoadGenerator;
import io.homa.bench.load.LoadResult;
import io.homa.bench.load.RequestSink;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// gRPC-Java, unary calls of byte arrays over one plain-text HTTP/2 connection on loopback. As its performance guide
/// has
/// it: asynchronous stubs, the channel reused for all calls, `directExecutor` (handlers do not block, so they need no
/// thread of their own), epoll, and here one spinning event loop on the side's CPU; windows larger than what is on its
/// way. No protobuf: its time would be the serialisation's, not the transport's.
final class GrpcUnary {
    private static final int WINDOW_BYTES = 16 << 20;
    private static final int MAX_MESSAGE_BYTES = 4 << 20;
    private static final int CLOSE_SECONDS = 5;
    private static final MethodDescriptor<byte[], byte[]> CALL = MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("homa.Bench/Call")
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(new Bytes())
            .build();

    private GrpcUnary() {}

    /// Byte arrays as they are.
    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        private static final class Known extends ByteArrayInputStream implements KnownLength {
            Known(byte[] bytes) {
                super(bytes);
            }
        }

        @Override
        public InputStream stream(byte[] value) {
            return new Known(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readNBytes(stream.available());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /// Answers on the event loop.
    static final class AnsweringSide implements PeerServer {
        private final NettyLoop loop;
        private final Server server;

        AnsweringSide(SideConfig side) {
            loop = new NettyLoop(side, "bench-server");
            server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0))
                    .bossEventLoopGroup(loop.group())
                    .workerEventLoopGroup(loop.group())
                    .channelType(EpollServerSocketChannel.class)
                    .directExecutor()
                    .flowControlWindow(WINDOW_BYTES)
                    .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                    .addService(ServerServiceDefinition.builder("homa.Bench")
                            .addMethod(CALL, ServerCalls.asyncUnaryCall(AnsweringSide::answer))
                            .build())
                    .build();
            try {
                server.start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /// Answers a request that is right; the client sees others fail.
        private static void answer(byte[] request, StreamObserver<byte[]> out) {
            if (!Contents.isIntact(request)) {
                out.onError(new IllegalArgumentException("wrong bytes"));
                return;
            }
            byte[] response = new byte[Contents.getInt(request, 4)];
            Contents.writeMessage(response, Contents.getInt(request, 0), 0);
            out.onNext(response);
            out.onCompleted();
        }

        @Override
        public String address() {
            return Integer.toString(server.getPort());
        }

        @Override
        public void close() {
            server.shutdownNow();
            try {
                server.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            loop.close();
        }
    }

    /// Asks on the event loop.
    static final class AskingSide implements PeerClient, RequestSink {
        private final NettyLoop loop;
        private final ManagedChannel channel;
        private final HeapRequests requests = new HeapRequests(Flow.MAX_OUTSTANDING);
        private final List<Response> responses = new ArrayList<>();

        AskingSide(SideConfig side, String address) {
            loop = new NettyLoop(side, "bench-client");
            for (int slot = 0; slot < Flow.MAX_OUTSTANDING; slot++) {
                responses.add(new Response(loop, slot));
            }
            channel = NettyChannelBuilder.forAddress(
                            new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), Integer.parseInt(address)))
                    .eventLoopGroup(loop.group())
                    .channelType(EpollSocketChannel.class)
                    .directExecutor()
                    .usePlaintext()
                    .flowControlWindow(WINDOW_BYTES)
                    .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                    .build();
            loop.onCycle(this::cycle);
        }

        private void cycle() {
            LoadGenerator load = loop.load();
            if (load != null) {
                load.onCycle(this);
            }
        }

        @Override
        public boolean send(int slot, int requestBytes, int responseBytes) {
            byte[] request = requests.next(slot, requestBytes, responseBytes);
            ClientCalls.asyncUnaryCall(channel.newCall(CALL, CallOptions.DEFAULT), request, responses.get(slot));
            return true;
        }

        @Override
        public LoadResult run(Load load) throws InterruptedException {
            return loop.run(load);
        }

        @Override
        public void close() {
            channel.shutdownNow();
            try {
                channel.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            loop.close();
        }
    }

    /// Takes the responses of a slot, one at a time.
    private static final class Response implements StreamObserver<byte[]> {
        private final NettyLoop loop;
        private final int slot;
        private boolean isIntact;

        Response(NettyLoop loop, int slot) {
            this.loop = loop;
            this.slot = slot;
        }

        @Override
        public void onNext(byte[] response) {
            isIntact = Contents.getInt(response, 0) == slot && Contents.isIntact(response);
        }

        @Override
        public void onError(Throwable cause) {
            loop.fail(cause);
        }

        @Override
        public void onCompleted() {
            LoadGenerator load = loop.load();
            if (load != null) {
                load.onResponse(slot, isIntact);
            }
        }
    }
}
