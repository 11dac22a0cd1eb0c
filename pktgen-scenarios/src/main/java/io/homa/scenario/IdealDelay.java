package io.homa.scenario;

import io.homa.fabric.HostDelays;
import io.homa.fabric.Topology;
import io.homa.memory.HotPath;

/// How long a message takes in an empty network, as the SIGCOMM 2018 simulations count it
/// (`WorkloadSynthesizer::idealMsgEndToEndDelay`): full frames of 1472 bytes of payload without any Homa header, one
/// frame's serialisation again at each switch, and fixed delays. Within a rack the paper's figure lacks the delay of
/// the switch; so does this one, since the published slowdowns are multiples of it. Immutable.
@HotPath
public final class IdealDelay {
    private static final int FULL_PAYLOAD = 1_472;
    private static final int FULL_FRAME = 1_538;
    private static final int SHORTEST_FRAME = 84;
    /// IP and UDP header, Ethernet header and check sequence, preamble and gap.
    private static final int OVERHEAD = 28 + 18 + 20;

    private final Topology topology;
    private final long hostPsPerByte;
    private final long corePsPerByte;
    private final long fixedPs;

    public IdealDelay(Topology topology, HostDelays delays) {
        this.topology = topology;
        hostPsPerByte = 8_000_000_000_000L / topology.hostBitsPerSecond();
        corePsPerByte = 8_000_000_000_000L / topology.coreBitsPerSecond();
        fixedPs = delays.sendPs() + delays.nicPs() + delays.receivePs() + 2 * topology.propagationPs();
    }

    /// Returns the time from the message's command until its last byte is with the receiver's transport, in
    /// picoseconds.
    public long ps(int from, int to, int length) {
        int fullFrames = length / FULL_PAYLOAD;
        int rest = length % FULL_PAYLOAD;
        long restFrame = rest == 0 ? 0 : Math.max(SHORTEST_FRAME, rest + OVERHEAD);
        long bytes = (long) fullFrames * FULL_FRAME + restFrame;
        long firstFrame = fullFrames > 0 ? FULL_FRAME : restFrame;
        long ps = bytes * hostPsPerByte + fixedPs + firstFrame * hostPsPerByte;
        if (from / topology.hostsPerRack() == to / topology.hostsPerRack()) {
            return ps;
        }
        return ps + 2 * firstFrame * corePsPerByte + 3 * topology.switchDelayPs() + 2 * topology.propagationPs();
    }
}
