package io.homa.engine;

/// How a receiver schedules its senders (protocol reference 4.3 and 5).
///
/// @param windowBytes granted but not received bytes allowed for one message; 0 means `maxIncomingBytes / (active
/// messages + 1)`
/// @param maxIncomingBytes granted but not received bytes allowed for all messages together
/// @param maxOvercommit messages granted at the same time, 1…[#OVERCOMMIT_LIMIT]
/// @param fifoFractionPerMille share of grants that goes to the oldest message, in 1/1000, 0…500
/// @param fifoIncrementBytes bytes of one such grant
public record GrantConfig(
        int windowBytes, int maxIncomingBytes, int maxOvercommit, int fifoFractionPerMille, int fifoIncrementBytes) {
    /// Most messages that can be active; the kernel module has the same bound.
    public static final int OVERCOMMIT_LIMIT = 8;

    /// The kernel module's defaults.
    public static final GrantConfig DEFAULT = new GrantConfig(0, 400_000, 8, 50, 50_000);

    public GrantConfig {
        Checks.range("windowBytes", windowBytes, 0, 100_000_000);
        Checks.range("maxIncomingBytes", maxIncomingBytes, 1, 1_000_000_000);
        Checks.range("maxOvercommit", maxOvercommit, 1, OVERCOMMIT_LIMIT);
        Checks.range("fifoFractionPerMille", fifoFractionPerMille, 0, 500);
        Checks.range("fifoIncrementBytes", fifoIncrementBytes, 1, 1_000_000);
    }
}
