package io.homa.fabric;

/// What uses a simulated network: it sends messages and hears of their ends. Called by the fabric, on its thread.
public interface Application {
    /// A timer of [Fabric#at] is due.
    void onTimer(int host, long value);

    /// A message has arrived whole at `host`. One without an answer is over: its number is free after this call. The
    /// answer to another is sent right afterwards.
    void onMessage(int host, int message);

    /// The answer to a message of `host` has arrived whole; its number is free after this call.
    void onAnswer(int host, int message);

    /// A message of `host` got no answer, or could not be sent; its number is free after this call.
    void onFailure(int host, int message);
}
