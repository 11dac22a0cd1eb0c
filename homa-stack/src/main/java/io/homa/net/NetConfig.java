package io.homa.net;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Addresses of this host and of those around it.
///
/// @param mac own hardware address, low 48 bits, not a group's
/// @param address own IPv4 address
/// @param prefixLength length of the subnet's prefix, 1…32
/// @param gateway router for addresses outside the subnet; 0 if there is none
/// @param staticNeighbours hardware addresses that need no ARP, by IPv4 address
/// @param headers what packets look like
/// @param ipv6 place in an IPv6 network, null without one
/// @param vlan VLAN of the frames, 1…4094; [#PRIORITY_TAG] for tags that only carry the priority; [#UNTAGGED]
public record NetConfig(
        long mac,
        int address,
        int prefixLength,
        int gateway,
        Map<Integer, Long> staticNeighbours,
        HeaderOptions headers,
        @Nullable Ipv6Config ipv6,
        int vlan) {
    /// Frames without a tag; tags of received ones are skipped.
    public static final int UNTAGGED = -1;

    /// VLAN 0: the tag carries the priority, and no VLAN.
    public static final int PRIORITY_TAG = 0;

    private static final int MAX_VLAN = 4_094;

    public NetConfig {
        staticNeighbours = Map.copyOf(staticNeighbours);
        if (prefixLength < 1 || prefixLength > 32) {
            throw new IllegalArgumentException("prefixLength is " + prefixLength + "; allowed are 1 to 32");
        }
        if (vlan < UNTAGGED || vlan > MAX_VLAN) {
            throw new IllegalArgumentException("vlan is " + vlan + "; allowed are 0 (priority only) to " + MAX_VLAN
                    + ", or " + UNTAGGED + " for none");
        }
        if ((mac & 0x0100_0000_0000L) != 0 || mac >>> 48 != 0 || mac == 0) {
            throw new IllegalArgumentException("mac 0x" + Long.toHexString(mac) + " is not a single host's address");
        }
    }

    /// Makes the configuration of a host on a subnet, `cidr` such as `10.0.0.1/24`. The hardware address is
    /// derived from the IPv4 address (02:00 and its four bytes), so that two hosts of one subnet never share one.
    public static NetConfig of(String cidr) {
        int slash = cidr.indexOf('/');
        String prefix = slash < 0 ? "" : cidr.substring(slash + 1);
        if (!prefix.matches("[0-9]{1,2}") || Integer.parseInt(prefix) < 1 || Integer.parseInt(prefix) > 32) {
            throw new IllegalArgumentException("'" + cidr + "' is not an address with prefix such as 10.0.0.1/24");
        }
        int address = IpAddress.parse(cidr.substring(0, slash));
        long mac = 0x0200_0000_0000L | (address & 0xFFFF_FFFFL);
        return new NetConfig(
                mac, address, Integer.parseInt(prefix), 0, Map.of(), HeaderOptions.DEFAULT, null, UNTAGGED);
    }

    public NetConfig withMac(long value) {
        return new NetConfig(value, address, prefixLength, gateway, staticNeighbours, headers, ipv6, vlan);
    }

    public NetConfig withGateway(int value) {
        return new NetConfig(mac, address, prefixLength, value, staticNeighbours, headers, ipv6, vlan);
    }

    public NetConfig withStaticNeighbours(Map<Integer, Long> value) {
        return new NetConfig(mac, address, prefixLength, gateway, value, headers, ipv6, vlan);
    }

    public NetConfig withHeaders(HeaderOptions value) {
        return new NetConfig(mac, address, prefixLength, gateway, staticNeighbours, value, ipv6, vlan);
    }

    public NetConfig withIpv6(Ipv6Config value) {
        return new NetConfig(mac, address, prefixLength, gateway, staticNeighbours, headers, value, vlan);
    }

    /// Tags frames with a VLAN, and their priority.
    public NetConfig withVlan(int value) {
        return new NetConfig(mac, address, prefixLength, gateway, staticNeighbours, headers, ipv6, value);
    }

    /// Returns the address to ask for on the link: the target itself in the subnet, else the gateway; 0 if there
    /// is none.
    int nextHop(int target) {
        int mask = -1 << (32 - prefixLength);
        return (target & mask) == (address & mask) ? target : gateway;
    }
}
