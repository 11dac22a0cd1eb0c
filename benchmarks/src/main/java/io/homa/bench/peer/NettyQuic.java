package io.homa.bench.peer;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.handler.codec.quic.EpollQuicUtils;
import io.netty.handler.codec.quic.InsecureQuicTokenHandler;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicChannelOption;
import io.netty.handler.codec.quic.QuicClientCodecBuilder;
import io.netty.handler.codec.quic.QuicCodecBuilder;
import io.netty.handler.codec.quic.QuicServerCodecBuilder;
import io.netty.handler.codec.quic.QuicSslContextBuilder;
import io.netty.handler.codec.quic.QuicStreamType;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/// QUIC through Netty (quiche) over UDP on loopback: one connection, a bidirectional stream for each flow, so that
/// flows
/// do not wait for each other's losses or lengths. As its documentation and examples have it for speed: native epoll,
/// several datagrams per system call (segmentation offload), windows larger than what is on its way, no acknowledgement
/// delay, no migration; datagrams as large as the case's MTU. Encryption cannot be switched off in QUIC. The
/// certificate
/// is made for the run, and the client does not verify it: handshakes are not measured.
final class NettyQuic {
    private static final String PROTOCOL = "homa-bench";
    private static final int IP_AND_UDP_BYTES = 28;
    private static final int WINDOW_BYTES = 16 << 20;
    private static final int STREAMS = 16;
    private static final int DATAGRAMS_PER_CALL = 10;
    private static final int SOCKET_BUFFER_BYTES = 4 << 20;
    private static final int IDLE_SECONDS = 60;

    private NettyQuic() {}

    private static <B extends QuicCodecBuilder<B>> B configured(B builder, int mtu) {
        return builder.maxIdleTimeout(IDLE_SECONDS, TimeUnit.SECONDS)
                .initialMaxData(WINDOW_BYTES)
                .initialMaxStreamDataBidirectionalLocal(WINDOW_BYTES)
                .initialMaxStreamDataBidirectionalRemote(WINDOW_BYTES)
                .initialMaxStreamsBidirectional(STREAMS)
                .maxSendUdpPayloadSize(mtu - IP_AND_UDP_BYTES)
                .maxRecvUdpPayloadSize(mtu - IP_AND_UDP_BYTES)
                .maxAckDelay(0, TimeUnit.MILLISECONDS)
                .activeMigration(false);
    }

    private static Channel bind(NettyLoop loop, ChannelHandler codec) {
        ChannelFuture bound = new Bootstrap()
                .group(loop.group())
                .channel(EpollDatagramChannel.class)
                .option(ChannelOption.SO_RCVBUF, SOCKET_BUFFER_BYTES)
                .option(ChannelOption.SO_SNDBUF, SOCKET_BUFFER_BYTES)
                .handler(codec)
                .bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
        NettyLoop.await(bound);
        return bound.channel();
    }

    /// Answers on the event loop.
    static final class Server implements PeerServer {
        private final NettyLoop loop;
        private final Channel socket;

        Server(SideConfig side) {
            SelfSigned identity = SelfSigned.make(side.directory());
            loop = new NettyLoop(side, "bench-server");
            socket = bind(
                    loop,
                    configured(new QuicServerCodecBuilder(), side.mtu())
                            .sslContext(QuicSslContextBuilder.forServer(identity.key(), null, identity.certificate())
                                    .applicationProtocols(PROTOCOL)
                                    .build())
                            .tokenHandler(InsecureQuicTokenHandler.INSTANCE)
                            .option(
                                    QuicChannelOption.SEGMENTED_DATAGRAM_PACKET_ALLOCATOR,
                                    EpollQuicUtils.newSegmentedAllocator(DATAGRAMS_PER_CALL))
                            .streamHandler(NettyFrames.answering())
                            .build());
        }

        @Override
        public String address() {
            return Integer.toString(((InetSocketAddress) socket.localAddress()).getPort());
        }

        @Override
        public void close() {
            NettyLoop.await(socket.close());
            loop.close();
        }
    }

    /// Asks on the event loop.
    static final class Client extends NettyClient {
        private final Channel socket;
        private final QuicChannel connection;

        Client(SideConfig side, String address) {
            super(new NettyLoop(side, "bench-client"));
            socket = bind(
                    loop(),
                    configured(new QuicClientCodecBuilder(), side.mtu())
                            .sslContext(QuicSslContextBuilder.forClient()
                                    .trustManager(InsecureTrustManagerFactory.INSTANCE)
                                    .applicationProtocols(PROTOCOL)
                                    .build())
                            .build());
            connection = NettyLoop.await(QuicChannel.newBootstrap(socket)
                    .option(
                            QuicChannelOption.SEGMENTED_DATAGRAM_PACKET_ALLOCATOR,
                            EpollQuicUtils.newSegmentedAllocator(DATAGRAMS_PER_CALL))
                    .handler(new ChannelInboundHandlerAdapter())
                    .streamHandler(new ChannelInboundHandlerAdapter()) // the server opens none
                    .remoteAddress(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), Integer.parseInt(address)))
                    .connect());
        }

        @Override
        Channel open() {
            Channel stream =
                    NettyLoop.await(connection.createStream(QuicStreamType.BIDIRECTIONAL, NettyFrames.asking(loop())));
            stream.config().setWriteBufferWaterMark(NettyTcp.WATER_MARK);
            return stream;
        }

        @Override
        public void close() {
            NettyLoop.await(connection.close());
            NettyLoop.await(socket.close());
            super.close();
        }
    }
}
