package io.homa;

import io.homa.engine.EngineConfig;

/// A message has no bytes, or more than Homa's limit of 1,000,000.
public final class MessageSizeException extends HomaException {
    private static final long serialVersionUID = 1L;

    private MessageSizeException(String message) {
        super(message);
    }

    /// Throws if `length` is not that of a message.
    static void check(long length) {
        if (length < 1) {
            throw new MessageSizeException(
                    "message length is " + length + "; a Homa message has at least 1 byte and at most "
                            + EngineConfig.MAX_MESSAGE_LENGTH + ". Send at least one byte.");
        }
        if (length > EngineConfig.MAX_MESSAGE_LENGTH) {
            throw new MessageSizeException("message length is " + length + "; the limit is "
                    + EngineConfig.MAX_MESSAGE_LENGTH + " bytes. Split larger transfers into several messages.");
        }
    }
}
