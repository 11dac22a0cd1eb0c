package io.homa.engine;

import io.homa.memory.HotPath;

/// Which local Homa ports are open, and which of them accept requests. Engine thread only.
@HotPath
final class PortTable {
    private static final byte CLOSED = 0;
    private static final byte CLIENT = 1;
    private static final byte SERVER = 2;

    private final byte[] ports = new byte[65_536];

    boolean isOpen(int homaPort) {
        return ports[homaPort] != CLOSED;
    }

    boolean acceptsRequests(int homaPort) {
        return ports[homaPort] == SERVER;
    }

    void open(int homaPort, boolean acceptsRequests) {
        ports[homaPort] = acceptsRequests ? SERVER : CLIENT;
    }

    void close(int homaPort) {
        ports[homaPort] = CLOSED;
    }
}
