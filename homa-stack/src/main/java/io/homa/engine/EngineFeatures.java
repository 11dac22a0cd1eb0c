package io.homa.engine;

/// What the engine does beyond the Linux kernel module, on the same wire (protocol reference 8). Each can be turned
/// off, to compare or to pin the module's behaviour in tests.
///
/// @param earlyRecovery lost packets are asked for after a round trip and not after five milliseconds
/// @param earlyFirstPacket the first packet of a message that needs grants leaves before the bodies of others,
///     so that its grant comes in time
public record EngineFeatures(boolean earlyRecovery, boolean earlyFirstPacket) {
    /// The rules of the kernel module.
    public static final EngineFeatures KERNEL = new EngineFeatures(false, false);

    /// Everything this stack does better.
    public static final EngineFeatures ALL = new EngineFeatures(true, true);
}
