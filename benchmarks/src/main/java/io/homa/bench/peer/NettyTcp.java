package io.homa.bench.peer;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// Kernel TCP through Netty with its native epoll transport, which its documentation names as the one with less garbage
/// and better performance than NIO: direct pooled buffers, `TCP_NODELAY`, 4 MB socket buffers, one spinning event loop
/// on the side's CPU, a flush for each cycle instead of each message.
final class NettyTcp {
    private static final int SOCKET_BUFFER_BYTES = 4 << 20;

    /// So that bulk does not stop at every socket buffer; the load itself limits what is on its way.
    static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(4 << 20, 8 << 20);

    private NettyTcp() {}

    /// Answers on the event loop.
    static final class Server implements PeerServer {
        private final NettyLoop loop;
        private final Channel listener;

        Server(SideConfig side) {
            loop = new NettyLoop(side, "bench-server");
            ChannelFuture bound = new ServerBootstrap()
                    .group(loop.group())
                    .channel(EpollServerSocketChannel.class)
                    .option(ChannelOption.SO_RCVBUF, SOCKET_BUFFER_BYTES)
                    .childOption(ChannelOption.TCP_NODELAY, true)
                    .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                    .childHandler(NettyFrames.answering())
                    .bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
            NettyLoop.await(bound);
            listener = bound.channel();
        }

        @Override
        public String address() {
            return Integer.toString(((InetSocketAddress) listener.localAddress()).getPort());
        }

        @Override
        public void close() {
            NettyLoop.await(listener.close());
            loop.close();
        }
    }

    /// Asks on the event loop.
    static final class Client extends NettyClient {
        private final int port;

        Client(SideConfig side, String address) {
            super(new NettyLoop(side, "bench-client"));
            port = Integer.parseInt(address);
        }

        @Override
        Channel open() {
            ChannelFuture connected = new Bootstrap()
                    .group(loop().group())
                    .channel(EpollSocketChannel.class)
                    .option(ChannelOption.SO_SNDBUF, SOCKET_BUFFER_BYTES)
                    .option(ChannelOption.TCP_NODELAY, true)
                    .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                    .handler(NettyFrames.asking(loop()))
                    .connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port));
            NettyLoop.await(connected);
            return connected.channel();
        }
    }
}
