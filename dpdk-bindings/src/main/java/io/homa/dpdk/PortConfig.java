package io.homa.dpdk;

/// Settings of a port.
///
/// @param mtu bytes of an IP packet, 576…9000
/// @param queues pairs of receive and transmit queues, 1…64
/// @param rxDescriptors wished length of a receive queue, 64…32768; the device may adjust it
/// @param txDescriptors wished length of a transmit queue, likewise
public record PortConfig(int mtu, int queues, int rxDescriptors, int txDescriptors) {
    public static final PortConfig DEFAULT = new PortConfig(1500, 1, 1024, 1024);

    public PortConfig {
        range("mtu", mtu, 576, 9_000);
        range("queues", queues, 1, 64);
        range("rxDescriptors", rxDescriptors, 64, 32_768);
        range("txDescriptors", txDescriptors, 64, 32_768);
    }

    public PortConfig withMtu(int value) {
        return new PortConfig(value, queues, rxDescriptors, txDescriptors);
    }

    private static void range(String name, int value, int low, int high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(name + " is " + value + "; allowed are " + low + " to " + high);
        }
    }
}
