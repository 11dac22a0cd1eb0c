package io.homa.net;

import java.util.Map;

/// This host's place in an IPv6 network, beside its IPv4 one. Neighbours are not discovered: those to talk to are
/// given here.
///
/// @param address own address
/// @param neighbours hardware addresses of other hosts
/// @param trafficClassShift place of the priority in the traffic class: 5, or 4 as kernels up to 6.13.9 have it
public record Ipv6Config(Ipv6Address address, Map<Ipv6Address, Long> neighbours, int trafficClassShift) {
    /// Where the newest kernel module, and the IPv4 header, have the priority.
    public static final int DEFAULT_SHIFT = 5;

    public Ipv6Config {
        neighbours = Map.copyOf(neighbours);
        if (trafficClassShift != DEFAULT_SHIFT && trafficClassShift != DEFAULT_SHIFT - 1) {
            throw new IllegalArgumentException("trafficClassShift is " + trafficClassShift + "; allowed are 4 and 5");
        }
    }
}
