package io.homa.engine;

/// What the engine does beyond the Linux kernel module, on the same wire (protocol reference 8). Each can be turned
/// off, to compare or to pin the module's behaviour in tests.
///
/// @param earlyRecovery lost packets are asked for after a round trip and not after five milliseconds
/// @param earlyFirstPacket the first packet of a message that needs grants leaves before the bodies of others,
///     so that its grant comes in time
/// @param incastControl clients with many requests outstanding ask for short starts of responses, see
///     [IncastControl]
/// @param unscheduledLimits each peer has a limit of its own for unscheduled bytes, see [UnscheduledLimits]
/// @param adaptiveCutoffs the table of unscheduled priorities follows the messages that come in, see
///     [AdaptiveCutoffs]
/// @param paperRules the rules of the SIGCOMM 2018 paper where the kernel module has others, see [PaperRules]; for
///     comparison with the paper's simulations, not for use
public record EngineFeatures(
        boolean earlyRecovery,
        boolean earlyFirstPacket,
        boolean incastControl,
        boolean unscheduledLimits,
        boolean adaptiveCutoffs,
        boolean paperRules) {
    /// The rules of the kernel module.
    public static final EngineFeatures KERNEL = new EngineFeatures(false, false, false, false, false, false);

    /// Everything this stack does better.
    public static final EngineFeatures ALL = new EngineFeatures(true, true, true, true, true, false);

    /// The rules of the paper.
    public static final EngineFeatures PAPER = new EngineFeatures(false, false, false, false, false, true);
}
