package io.homa.scenario;

/// A way of using a simulated network: it starts transfers and hears of their ends. Called by [Traffic], on the
/// thread of the simulation.
public interface Pattern {
    /// Begins; `traffic` is what to send with from now on.
    void start(Traffic traffic);

    /// A timer of [Traffic#at] is due.
    void onTimer(int host, int value);

    /// A transfer has arrived whole, or, if it has an answer, its answer has. Its number is free after this call.
    void onDone(int transfer);

    /// A transfer has failed. Its number is free after this call.
    void onLost(int transfer);
}
