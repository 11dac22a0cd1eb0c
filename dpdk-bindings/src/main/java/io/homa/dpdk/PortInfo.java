package io.homa.dpdk;

/// Facts about a port, read from its driver.
///
/// @param mac hardware address in the low 48 bits
/// @param maxRxQueues most receive queues
/// @param maxTxQueues most transmit queues
/// @param minMtu smallest IP packet limit that can be set
/// @param maxMtu largest one
/// @param hasIpv4Checksum whether the device fills IPv4 header checksums
/// @param hasMultiSegment whether it sends frames that lie in several buffers
/// @param hasRss whether it spreads flows over receive queues
/// @param numaNode memory node it sits at, or −1
/// @param driver DPDK's name of the driver
public record PortInfo(
        long mac,
        int maxRxQueues,
        int maxTxQueues,
        int minMtu,
        int maxMtu,
        boolean hasIpv4Checksum,
        boolean hasMultiSegment,
        boolean hasRss,
        int numaNode,
        String driver) {}
