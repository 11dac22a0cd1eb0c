package io.homa.net;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// This host's place in an IPv6 network, beside its IPv4 one. Neighbours are discovered; further ones may be given.
///
/// @param address own address; the link-local one that follows from the hardware address comes on top
/// @param prefixLength length of the subnet's prefix, 1…128
/// @param gateway router for addresses outside the subnet, null without one
/// @param neighbours hardware addresses of hosts that need not be asked for
/// @param trafficClassShift place of the priority in the traffic class: 5, or 4 as kernels up to 6.13.9 have it
public record Ipv6Config(
        Ipv6Address address,
        int prefixLength,
        @Nullable Ipv6Address gateway,
        Map<Ipv6Address, Long> neighbours,
        int trafficClassShift) {
    /// Where the newest kernel module, and the IPv4 header, have the priority.
    public static final int DEFAULT_SHIFT = 5;

    private static final int DEFAULT_PREFIX = 64;

    public Ipv6Config {
        neighbours = Map.copyOf(neighbours);
        if (prefixLength < 1 || prefixLength > 128) {
            throw new IllegalArgumentException("prefixLength is " + prefixLength + "; allowed are 1 to 128");
        }
        if (trafficClassShift != DEFAULT_SHIFT && trafficClassShift != DEFAULT_SHIFT - 1) {
            throw new IllegalArgumentException("trafficClassShift is " + trafficClassShift + "; allowed are 4 and 5");
        }
    }

    /// Makes the configuration of a host on a subnet of 64 bits.
    public Ipv6Config(Ipv6Address address, Map<Ipv6Address, Long> neighbours, int trafficClassShift) {
        this(address, DEFAULT_PREFIX, null, neighbours, trafficClassShift);
    }

    /// Makes the configuration of a host on a subnet, such as `fd77::1/64`.
    public static Ipv6Config of(String cidr) {
        int slash = cidr.indexOf('/');
        String prefix = slash < 0 ? "" : cidr.substring(slash + 1);
        if (!prefix.matches("[0-9]{1,3}") || Integer.parseInt(prefix) < 1 || Integer.parseInt(prefix) > 128) {
            throw new IllegalArgumentException("'" + cidr + "' is not an address with prefix such as fd77::1/64");
        }
        Ipv6Address address = Ipv6Address.parse(cidr.substring(0, slash));
        return new Ipv6Config(address, Integer.parseInt(prefix), null, Map.of(), DEFAULT_SHIFT);
    }

    public Ipv6Config withGateway(Ipv6Address value) {
        return new Ipv6Config(address, prefixLength, value, neighbours, trafficClassShift);
    }

    public Ipv6Config withTrafficClassShift(int value) {
        return new Ipv6Config(address, prefixLength, gateway, neighbours, value);
    }

    /// Says whether an address is in the subnet.
    boolean isOnLink(long high, long low) {
        long highMask = prefixLength >= Long.SIZE ? -1 : -1L << (Long.SIZE - prefixLength);
        long lowMask = prefixLength <= Long.SIZE ? 0 : -1L << (2 * Long.SIZE - prefixLength);
        return ((high ^ address.high()) & highMask) == 0 && ((low ^ address.low()) & lowMask) == 0;
    }
}
