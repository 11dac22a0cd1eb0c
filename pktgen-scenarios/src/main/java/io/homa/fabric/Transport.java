package io.homa.fabric;

/// One host's transport in a simulation: the production engine, or a protocol that it is compared with. Messages are
/// entries of the fabric's [MessageTable]; packets come from its pool, addressed by [FabricPacket]. One thread.
public interface Transport {
    /// Starts to send a message from this host.
    void send(int message, long nowNs);

    /// Takes a packet that has arrived; the transport owns it.
    void receive(long packet, long nowNs);

    /// Returns the packet that leaves now, which then belongs to the fabric, or 0. Called when the link is free.
    long transmit(long nowNs);

    /// Does what is due.
    void onTick(long nowNs);

    /// Returns when [#onTick] has to be called at the latest; `Long.MAX_VALUE` for never.
    long nextDeadlineNs();

    /// Returns when [#transmit], which had nothing, may have something although nothing else happens;
    /// `Long.MAX_VALUE` for never.
    long nextTransmitNs();

    /// Forgets a message of this host that has reached the other end whole and gets no answer.
    void delivered(int message, long nowNs);

    /// Gives everything back.
    void close(long nowNs);
}
