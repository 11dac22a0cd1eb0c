package io.homa.engine;

/// Tunables of one engine. Immutable; the defaults are the kernel module's (protocol reference 5) unless the
/// component says otherwise.
///
/// @param mtu bytes of an IP packet, 576…9000
/// @param linkBitsPerSecond speed of the link for pacing and the oldest-message grants; 0 turns pacing off, the
/// device's queue alone pushes back
/// @param unscheduledBytes bytes of a message that are sent without a grant
/// @param priorities priority levels in use, 1…8
/// @param grants scheduling of senders
/// @param timers recovery and timeouts
/// @param limits table sizes
/// @param features what goes beyond the kernel module
/// @param seed start of every random choice (first RPC id, jitter)
public record EngineConfig(
        int mtu,
        long linkBitsPerSecond,
        int unscheduledBytes,
        int priorities,
        GrantConfig grants,
        TimerConfig timers,
        EngineLimits limits,
        EngineFeatures features,
        long seed) {
    /// Longest message in bytes; the wire format's limit and the kernel's.
    public static final int MAX_MESSAGE_LENGTH = 1_000_000;

    public static final EngineConfig DEFAULT = new EngineConfig(
            1500,
            25_000_000_000L,
            40_000,
            8,
            GrantConfig.DEFAULT,
            TimerConfig.DEFAULT,
            EngineLimits.DEFAULT,
            EngineFeatures.KERNEL,
            1);

    public EngineConfig {
        Checks.range("mtu", mtu, 576, 9_000);
        Checks.range("linkBitsPerSecond", linkBitsPerSecond, 0, 1_000_000_000_000L);
        Checks.range("unscheduledBytes", unscheduledBytes, 1, MAX_MESSAGE_LENGTH);
        Checks.range("priorities", priorities, 1, 8);
    }

    public EngineConfig withMtu(int value) {
        return new EngineConfig(
                value, linkBitsPerSecond, unscheduledBytes, priorities, grants, timers, limits, features, seed);
    }

    public EngineConfig withLinkBitsPerSecond(long value) {
        return new EngineConfig(mtu, value, unscheduledBytes, priorities, grants, timers, limits, features, seed);
    }

    public EngineConfig withUnscheduledBytes(int value) {
        return new EngineConfig(mtu, linkBitsPerSecond, value, priorities, grants, timers, limits, features, seed);
    }

    public EngineConfig withPriorities(int value) {
        return new EngineConfig(
                mtu, linkBitsPerSecond, unscheduledBytes, value, grants, timers, limits, features, seed);
    }

    public EngineConfig withGrants(GrantConfig value) {
        return new EngineConfig(
                mtu, linkBitsPerSecond, unscheduledBytes, priorities, value, timers, limits, features, seed);
    }

    public EngineConfig withTimers(TimerConfig value) {
        return new EngineConfig(
                mtu, linkBitsPerSecond, unscheduledBytes, priorities, grants, value, limits, features, seed);
    }

    public EngineConfig withLimits(EngineLimits value) {
        return new EngineConfig(
                mtu, linkBitsPerSecond, unscheduledBytes, priorities, grants, timers, value, features, seed);
    }

    public EngineConfig withFeatures(EngineFeatures value) {
        return new EngineConfig(
                mtu, linkBitsPerSecond, unscheduledBytes, priorities, grants, timers, limits, value, seed);
    }

    public EngineConfig withSeed(long value) {
        return new EngineConfig(
                mtu, linkBitsPerSecond, unscheduledBytes, priorities, grants, timers, limits, features, value);
    }
}
