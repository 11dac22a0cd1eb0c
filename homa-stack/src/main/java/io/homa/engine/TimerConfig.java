package io.homa.engine;

/// Times of loss recovery and of giving up (protocol reference 4.5). Ticks are `tickNs` long.
///
/// @param tickNs length of a tick; the kernel's is 1 ms
/// @param resendTicks silence before the first RESEND
/// @param resendIntervalTicks time between later RESENDs
/// @param timeoutTicks silence after which an RPC fails
/// @param needAckTicks ticks after the response is sent before the server asks for its acknowledgement
/// @param needAckLimit NEED_ACKs sent (with back-off) before the server drops the RPC; more time than the client's
/// timeout
public record TimerConfig(
        long tickNs, int resendTicks, int resendIntervalTicks, int timeoutTicks, int needAckTicks, int needAckLimit) {
    /// The kernel module's times. The kernel never stops asking for an acknowledgement; ten times with back-off
    /// last about 0.5 s.
    public static final TimerConfig DEFAULT = new TimerConfig(1_000_000, 5, 5, 100, 2, 10);

    public TimerConfig {
        Checks.range("tickNs", tickNs, 1_000, 1_000_000_000);
        Checks.range("resendTicks", resendTicks, 1, 1_000_000);
        Checks.range("resendIntervalTicks", resendIntervalTicks, 1, 1_000_000);
        Checks.range("timeoutTicks", timeoutTicks, resendTicks + 1L, 10_000_000);
        Checks.range("needAckTicks", needAckTicks, 1, 1_000_000);
        Checks.range("needAckLimit", needAckLimit, 1, 1_000);
    }

    /// Returns the silence after which an RPC fails, in nanoseconds.
    public long timeoutNs() {
        return timeoutTicks * tickNs;
    }
}
