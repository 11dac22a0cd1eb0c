package io.homa.bench.peer;

import io.homa.Message;
import io.homa.MessageWriter;
import io.homa.Request;
import io.homa.bench.load.Contents;
import io.homa.memory.HotPath;

/// Writes and compares [Contents] in the packets of this stack, in place. Stateless.
@HotPath
final class HomaMessages {
    private HomaMessages() {}

    static void write(MessageWriter writer, int slot, int responseBytes) {
        Contents.writeHeader(writer.writeAddress(), slot, responseBytes);
        int length = writer.length();
        while (writer.remaining() > 0) {
            int bytes = writer.writableBytes();
            Contents.write(writer.writeAddress(), length - writer.remaining(), bytes);
            writer.advance(bytes);
        }
    }

    static boolean isIntact(Message message) {
        int length = message.length();
        boolean isIntact = true;
        message.rewind();
        while (message.remaining() > 0) {
            int bytes = message.readableBytes();
            isIntact &= Contents.isIntact(message.readAddress(), length - message.remaining(), bytes);
            message.skip(bytes);
        }
        return isIntact;
    }

    /// Answers a request that is right; one that is not, or finds no packets, stays without an answer and so counts
    /// as lost.
    static void answer(Request request) {
        Message message = request.message();
        long header = message.readAddress();
        int slot = Contents.slot(header);
        int responseBytes = Contents.responseBytes(header);
        MessageWriter response = isIntact(message) ? request.claimResponse(responseBytes) : null;
        if (response == null) {
            return;
        }
        write(response, slot, 0);
        if (request.reply(response) < 0) {
            response.abort();
        }
    }
}
