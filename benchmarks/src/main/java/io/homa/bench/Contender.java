package io.homa.bench;

import io.homa.bench.load.Load;

/// A transport under test: two sides in processes of their own, on two CPUs. Between turns nothing of it runs.
/// One thread.
interface Contender extends AutoCloseable {
    /// Begins a turn: opens and connects both sides.
    void open(int mtu);

    /// Runs a load.
    Run run(Load load);

    /// Ends the turn.
    void closeTurn();

    /// Ends the processes.
    @Override
    void close();
}
