package io.homa.engine;

import io.homa.memory.HotPath;

/// What the simulations of the SIGCOMM 2018 paper do and the kernel module does not, so that the same engine can be
/// held against the published curves (facts from PlatformLab/HomaSimulation, branch omnet_simulations, `transport`):
///
/// * each unscheduled packet has the priority of the bytes that **remain**, not of the whole message;
/// * once no more than a window is left to grant, the grant carries the unscheduled priority of that rest, if it is
///   better;
/// * a message that is granted to its end gives its place to another at once; a sender has one place at most;
/// * the sender sets nothing aside for the oldest message;
/// * messages have no limit.
///
/// Engine thread only.
@HotPath
final class PaperRules {
    private static final int KERNEL_FIFO_PER_MILLE = 50;

    private final boolean isOn;
    private final PriorityCutoffs cutoffs;
    private final int windowBytes;

    PaperRules(EngineConfig config, PriorityCutoffs cutoffs) {
        isOn = config.features().paperRules();
        windowBytes = config.grants().windowBytes();
        this.cutoffs = cutoffs;
    }

    boolean isOn() {
        return isOn;
    }

    /// Returns the longest message in bytes.
    int maxMessageLength() {
        return isOn ? Integer.MAX_VALUE : EngineConfig.MAX_MESSAGE_LENGTH;
    }

    /// Returns the share of transmitted bytes for the oldest message, in 1/1000; the kernel's `pacer_fifo_fraction`.
    int transmitFifoPerMille() {
        return isOn ? 0 : KERNEL_FIFO_PER_MILLE;
    }

    /// Returns the length that decides the priority of the next unscheduled packet of `out`.
    int unscheduledRank(OutgoingMessage out) {
        return isOn ? out.remainingBytes() : out.length();
    }

    /// Returns the priority of a grant that would have `scheduled`, with `ungrantedBytes` left to grant before it.
    int grantPriority(int scheduled, int ungrantedBytes) {
        return isOn && ungrantedBytes <= windowBytes
                ? Math.max(scheduled, cutoffs.unscheduledPriority(ungrantedBytes))
                : scheduled;
    }
}
