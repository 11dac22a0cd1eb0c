package io.homa.bench.peer;

import io.homa.bench.load.Load;
import io.homa.bench.load.LoadResult;

/// The asking side of a transport, connected. Control calls come from one thread.
public interface PeerClient extends AutoCloseable {
    /// Runs a load and returns what came of it.
    LoadResult run(Load load) throws InterruptedException;

    @Override
    void close();
}
