package io.homa.engine;

/// What the engine does beyond the Linux kernel module, on the same wire (protocol reference 8). Each can be turned
/// off, to compare or to pin the module's behaviour in tests.
///
/// @param earlyRecovery lost packets are asked for after a round trip and not after five milliseconds
/// @param earlyFirstPacket the first packet of a message that needs grants leaves before the bodies of others,
///     so that its grant comes in time
/// @param paperRules the rules of the SIGCOMM 2018 paper where the kernel module has others, see [PaperRules]; for
///     comparison with the paper's simulations, not for use
public record EngineFeatures(boolean earlyRecovery, boolean earlyFirstPacket, boolean paperRules) {
    /// The rules of the kernel module.
    public static final EngineFeatures KERNEL = new EngineFeatures(false, false, false);

    /// Everything this stack does better.
    public static final EngineFeatures ALL = new EngineFeatures(true, true, false);

    /// The rules of the paper.
    public static final EngineFeatures PAPER = new EngineFeatures(false, false, true);
}
