package io.homa.engine;

/// Results of commands that send: a handle or [#OK] when not negative, else one of the constants here.
///
/// With a negative result the packets given stay with the caller, who may try again (only [#BACK_PRESSURED] is
/// worth it) or release them.
public final class SendResult {
    /// The command was accepted.
    public static final long OK = 0;

    /// A table or queue is at its limit; try again later.
    public static final long BACK_PRESSURED = -1;

    /// The message is longer than the limit, see [EngineConfig#MAX_MESSAGE_LENGTH].
    public static final long TOO_LARGE = -2;

    /// The message has no bytes; Homa messages have at least one.
    public static final long EMPTY = -3;

    /// The local Homa port is not open, or the engine is closed.
    public static final long CLOSED = -4;

    /// The RPC of the handle exists, but is not one that awaits a response.
    public static final long WRONG_STATE = -5;

    private SendResult() {}
}
