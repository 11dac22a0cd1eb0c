package io.homa;

/// What a record of the command ring asks the engine's thread to do; the first long of the record.
final class Command {
    /// Endpoint and slot, host, ports (server, client << 16), first packet, length.
    static final int SEND_REQUEST = 1;

    /// RPC, first packet, length.
    static final int SEND_RESPONSE = 2;

    /// Endpoint and slot.
    static final int CANCEL = 3;

    /// First packet.
    static final int RELEASE = 4;

    private Command() {}
}
