package io.homa.cli;

/// Drives one side of `demo`, here or in the other process: one line of words, one line as the answer.
interface DemoControl extends AutoCloseable {
    /// Opens device and load. Answer: [#OK].
    String OPEN = "open";

    /// Starts sending. Answer: [#OK].
    String START = "start";

    /// Starts recording. Answer: [#OK].
    String RECORD = "record";

    /// Answer: requests ended, RPCs recorded.
    String STATUS = "status";

    /// Ends recording and sending. Answer: [#OK].
    String STOP = "stop";

    /// Waits until no request is on its way. Answer: [#OK] or [#STUCK].
    String DRAIN = "drain";

    /// Answer: an `ExchangeSummary`.
    String SUMMARY = "summary";

    /// Answer: the counters of the stack that are not 0.
    String COUNTERS = "counters";

    /// Closes the device. Answer: packets leaked.
    String CLOSE = "close";

    /// Answer: the TCP port that is listened on.
    String TCP_LISTEN = "tcp-listen";

    /// Connects to a TCP port, given as the second word. Answer: [#OK].
    String TCP_CONNECT = "tcp-connect";

    /// Ends the TCP exchange. Answer: [#OK].
    String TCP_CLOSE = "tcp-close";

    String OK = "ok";
    String STUCK = "stuck";

    String ask(String command);

    @Override
    void close();
}
