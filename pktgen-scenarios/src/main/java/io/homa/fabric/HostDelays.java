package io.homa.fabric;

/// What a packet costs at the hosts, beside its time on the link.
///
/// @param sendPs software, from the decision to send to the NIC
/// @param nicPs the NIC, from there to the first bit
/// @param receivePs software, from the last bit to the transport
public record HostDelays(long sendPs, long nicPs, long receivePs) {
    /// The SIGCOMM 2018 paper's: half a microsecond each.
    public static final HostDelays SIGCOMM18 = new HostDelays(500_000, 500_000, 500_000);

    public HostDelays {
        if (sendPs < 0 || nicPs < 0 || receivePs < 0) {
            throw new IllegalArgumentException("delays of hosts must not be negative");
        }
    }
}
