package io.homa.dpdk;

/// Counts of a port since it was started, kept by the device or its driver.
///
/// @param rxPackets frames received
/// @param txPackets frames sent
/// @param rxBytes their bytes
/// @param txBytes their bytes
/// @param rxMissed frames lost because the receive queue was full
/// @param rxErrors frames received damaged
/// @param txErrors frames that could not be sent
/// @param rxNoMbuf frames lost because the pool was empty
public record PortStats(
        long rxPackets,
        long txPackets,
        long rxBytes,
        long txBytes,
        long rxMissed,
        long rxErrors,
        long txErrors,
        long rxNoMbuf) {}
