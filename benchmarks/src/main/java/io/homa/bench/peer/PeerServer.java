package io.homa.bench.peer;

/// The answering side of a transport. Control calls come from one thread; closing lets its threads end.
public interface PeerServer extends AutoCloseable {
    /// Returns what the client needs to reach it: a port, the path of a socket.
    String address();

    @Override
    void close();
}
