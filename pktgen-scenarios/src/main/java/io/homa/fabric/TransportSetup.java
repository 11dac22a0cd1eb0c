package io.homa.fabric;

/// Puts a transport on every host of a fabric.
public interface TransportSetup {
    /// Fills `hosts`, whose length is the number of hosts.
    void build(Fabric fabric, Transport[] hosts);
}
