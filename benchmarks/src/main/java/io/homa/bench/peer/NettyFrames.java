package io.homa.bench.peer;

import io.homa.bench.load.Contents;
import io.homa.bench.load.LoadGenerator;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.lang.foreign.MemorySegment;

/// Messages behind a length of four bytes on a byte stream of Netty, as its own frame decoder expects them. What a
/// cycle
/// or a read produces is written first and flushed once, as Netty's user guide recommends.
@SuppressWarnings(
        "FutureReturnValueIgnored") // a void promise reports failures to the pipeline; closing has no other end
final class NettyFrames {
    private static final int PREFIX = Integer.BYTES;
    private static final int MAX_FRAME_BYTES = 2 << 20;

    private NettyFrames() {}

    private static long address(ByteBuf buffer, int index) {
        return buffer.hasMemoryAddress()
                ? buffer.memoryAddress() + index
                : MemorySegment.ofBuffer(buffer.nioBuffer(index, 1)).address();
    }

    private static boolean isIntact(ByteBuf message) {
        return Contents.isIntact(address(message, message.readerIndex()), 0, message.readableBytes());
    }

    /// Writes a message without flushing it. The loop's thread.
    static void write(Channel channel, int slot, int responseBytes, int length) {
        ByteBuf frame = channel.alloc().directBuffer(PREFIX + length, PREFIX + length);
        frame.writeInt(length);
        Contents.writeMessage(address(frame, PREFIX), slot, responseBytes, length);
        frame.writerIndex(PREFIX + length);
        channel.write(frame, channel.voidPromise());
    }

    private static LengthFieldBasedFrameDecoder decoder() {
        return new LengthFieldBasedFrameDecoder(MAX_FRAME_BYTES, 0, PREFIX, 0, PREFIX);
    }

    /// Returns what a server does with each of its connections: answers messages that are right.
    static ChannelInitializer<Channel> answering() {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(decoder(), new Answers());
            }
        };
    }

    /// Returns what a client does with each of its connections: hands responses to the load that runs.
    static ChannelInitializer<Channel> asking(NettyLoop loop) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(decoder(), new Responses(loop));
            }
        };
    }

    private static final class Answers extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf request = (ByteBuf) message;
            try {
                long header = address(request, request.readerIndex());
                if (isIntact(request)) {
                    write(context.channel(), Contents.slot(header), 0, Contents.responseBytes(header));
                }
            } finally {
                request.release();
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            // The client has gone, or sent what is no frame; its requests stay without an answer and count as lost.
            context.close();
        }
    }

    private static final class Responses extends ChannelInboundHandlerAdapter {
        private final NettyLoop loop;

        Responses(NettyLoop loop) {
            this.loop = loop;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf response = (ByteBuf) message;
            try {
                LoadGenerator load = loop.load();
                if (load != null) {
                    load.onResponse(Contents.slot(address(response, response.readerIndex())), isIntact(response));
                }
            } finally {
                response.release();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            loop.fail(cause);
            context.close();
        }
    }
}
