package io.homa.scenario;

import io.homa.Message;
import io.homa.MessageWriter;
import io.homa.memory.HotPath;

/// Writes [PayloadPattern]s into messages of the transport and compares them, packet by packet, without a copy.
/// Stateless; on the thread that owns the message.
@HotPath
public final class MessageContents {
    private MessageContents() {}

    /// Writes every byte of `writer`'s message.
    public static void write(MessageWriter writer, long tag, int direction) {
        int length = writer.length();
        long carried = PayloadPattern.carriedTag(tag, length);
        while (writer.remaining() > 0) {
            int bytes = writer.writableBytes();
            PayloadPattern.write(writer.writeAddress(), length - writer.remaining(), bytes, carried, length, direction);
            writer.advance(bytes);
        }
    }

    /// Returns the tag that a request carries, of which short messages hold the low 8 bits only. Reading starts
    /// over.
    public static long tag(Message request) {
        request.rewind();
        return PayloadPattern.readTag(request.readAddress(), request.length());
    }

    /// Says whether every byte is what a message with `tag` and `length` must have.
    public static boolean isIntact(Message message, int length, long tag, int direction) {
        if (message.length() != length) {
            return false;
        }
        long carried = PayloadPattern.carriedTag(tag, length);
        long difference = 0;
        message.rewind();
        while (message.remaining() > 0) {
            int bytes = message.readableBytes();
            difference |= PayloadPattern.difference(
                    message.readAddress(), length - message.remaining(), bytes, carried, length, direction);
            message.skip(bytes);
        }
        return difference == 0;
    }
}
