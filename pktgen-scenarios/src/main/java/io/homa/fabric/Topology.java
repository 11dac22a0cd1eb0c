package io.homa.fabric;

import io.homa.memory.HotPath;

/// Hosts in racks, a top-of-rack switch for each, and spine switches that connect the racks; one rack needs none.
///
/// Switch ports are numbered: first the downlinks in the order of hosts, then the uplinks of rack 0, 1, …, one to
/// each spine, then the ports of spine 0, 1, …, one to each rack.
///
/// @param racks racks, 1 or more
/// @param hostsPerRack hosts in each
/// @param spines spine switches, 0 with one rack
/// @param hostBitsPerSecond rate of the links of hosts, both directions
/// @param coreBitsPerSecond rate of the links between racks and spines
/// @param switchDelayPs time from the last bit of a packet until it can leave a switch
/// @param propagationPs time that a bit takes through any link
public record Topology(
        int racks,
        int hostsPerRack,
        int spines,
        long hostBitsPerSecond,
        long coreBitsPerSecond,
        long switchDelayPs,
        long propagationPs) {
    private static final long PS_PER_SECOND_TIMES_8 = 8_000_000_000_000L;

    public Topology {
        boolean hasCore = racks > 1;
        if (racks < 1 || hostsPerRack < 1 || (long) racks * hostsPerRack > 60_000 || hasCore != spines > 0) {
            throw new IllegalArgumentException(racks + " racks of " + hostsPerRack + " hosts with " + spines
                    + " spines: allowed are up to 60000 hosts, and spines exactly if there is more than one rack");
        }
        requireRate(hostBitsPerSecond);
        requireRate(coreBitsPerSecond);
        if (switchDelayPs < 0 || propagationPs < 0) {
            throw new IllegalArgumentException("delays must not be negative");
        }
    }

    private static void requireRate(long bitsPerSecond) {
        if (bitsPerSecond < 1_000_000 || bitsPerSecond > PS_PER_SECOND_TIMES_8) {
            throw new IllegalArgumentException(
                    "link rate " + bitsPerSecond + " bit/s; allowed are 1 Mbps to 8000 Gbps");
        }
    }

    /// Returns one switch with `hosts` hosts.
    public static Topology singleSwitch(int hosts, long bitsPerSecond, long switchDelayPs, long propagationPs) {
        return new Topology(1, hosts, 0, bitsPerSecond, bitsPerSecond, switchDelayPs, propagationPs);
    }

    /// Returns the network of the SIGCOMM 2018 paper: 144 hosts in 9 racks, 4 spines, 10 and 40 Gbps.
    public static Topology sigcomm18() {
        return new Topology(9, 16, 4, 10_000_000_000L, 40_000_000_000L, 250_000, 0);
    }

    @HotPath
    public int hosts() {
        return racks * hostsPerRack;
    }

    @HotPath
    int rackOf(int host) {
        return host / hostsPerRack;
    }

    int switches() {
        return racks + spines;
    }

    int ports() {
        return hosts() + 2 * racks * spines;
    }

    @HotPath
    int uplink(int rack, int spine) {
        return hosts() + rack * spines + spine;
    }

    @HotPath
    int spinePort(int spine, int rack) {
        return hosts() + racks * spines + spine * racks + rack;
    }

    @HotPath
    PortLevel level(int port) {
        if (port < hosts()) {
            return PortLevel.TO_HOST;
        }
        return port < hosts() + racks * spines ? PortLevel.TO_SPINE : PortLevel.TO_RACK;
    }

    /// Returns the switch that `port` belongs to: racks first, then spines.
    int switchOf(int port) {
        return switch (level(port)) {
            case TO_HOST -> rackOf(port);
            case TO_SPINE -> (port - hosts()) / spines;
            case TO_RACK -> racks + (port - hosts() - racks * spines) / racks;
        };
    }

    /// Returns the port after an uplink, on the way to host `to`.
    @HotPath
    int afterUplink(int port, int to) {
        return spinePort((port - hosts()) % spines, rackOf(to));
    }

    /// Returns picoseconds per byte on the link behind `port`.
    long psPerByte(int port) {
        return PS_PER_SECOND_TIMES_8 / (port < hosts() ? hostBitsPerSecond : coreBitsPerSecond);
    }

    long hostPsPerByte() {
        return PS_PER_SECOND_TIMES_8 / hostBitsPerSecond;
    }
}
