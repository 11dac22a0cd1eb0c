package io.homa.fabric;

/// A simulated network.
///
/// @param topology switches and links
/// @param delays what a packet costs at the hosts
/// @param spray whether each packet takes a way through the core by chance; else packets of two hosts take the same
/// @param bufferBytes shared buffer of each switch; 0 for no limit
/// @param markBytes bytes in a port's queues from which arriving packets are marked (ECN); 0 for never
/// @param faults what happens to packets by chance
/// @param seed start of every random choice
public record FabricConfig(
        Topology topology,
        HostDelays delays,
        boolean spray,
        long bufferBytes,
        int markBytes,
        FaultRates faults,
        long seed) {
    public FabricConfig {
        if (bufferBytes < 0 || markBytes < 0) {
            throw new IllegalArgumentException("buffer and marking threshold must not be negative");
        }
    }

    /// A network without faults.
    public FabricConfig(
            Topology topology, HostDelays delays, boolean spray, long bufferBytes, int markBytes, long seed) {
        this(topology, delays, spray, bufferBytes, markBytes, FaultRates.NONE, seed);
    }

    /// The network of the SIGCOMM 2018 simulations.
    public static FabricConfig sigcomm18(long seed) {
        return new FabricConfig(Topology.sigcomm18(), HostDelays.SIGCOMM18, true, 0, 0, seed);
    }
}
