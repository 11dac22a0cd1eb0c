package io.homa.engine;

/// Sizes of the engine's tables, all allocated at start.
///
/// @param maxRpcs RPCs in any state, client and server side together
/// @param maxPeers remote hosts known at a time
/// @param maxGaps missing ranges over all incoming messages
/// @param maxTombstones finished server RPCs that are remembered so that a late request is not executed again
/// @param poolReserve packets that stay free for receiving and control; below it no new state is made for DATA
///     and no grant is issued
public record EngineLimits(int maxRpcs, int maxPeers, int maxGaps, int maxTombstones, int poolReserve) {
    public static final EngineLimits DEFAULT = new EngineLimits(16_384, 4_096, 16_384, 65_536, 512);

    public EngineLimits {
        Checks.range("maxRpcs", maxRpcs, 1, 1 << 24);
        Checks.range("maxPeers", maxPeers, 1, 1 << 20);
        Checks.range("maxGaps", maxGaps, 1, 1 << 24);
        Checks.range("maxTombstones", maxTombstones, 1, 1 << 20);
        Checks.range("poolReserve", poolReserve, 0, 1 << 24);
    }
}
