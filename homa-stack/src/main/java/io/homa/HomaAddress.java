package io.homa;

import io.homa.net.IpAddress;
import io.homa.net.Ipv6Address;

/// A Homa endpoint: a host and a port.
///
/// @param hostHigh upper half of the host's IPv6 address, in network order; 0 for IPv4
/// @param hostLow lower half; IPv4 addresses are v4-mapped (`::ffff:a.b.c.d`)
/// @param port Homa port, 1…65535
public record HomaAddress(long hostHigh, long hostLow, int port) {
    public HomaAddress {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("Homa port is " + port + "; allowed are 1 to 65535");
        }
    }

    /// Makes the address of an IPv4 host, given in network order.
    public HomaAddress(int host, int port) {
        this(0, IpAddress.mapped(host), port);
    }

    /// Parses `10.0.0.2:4000` or `[fd77::2]:4000`. Names are not looked up.
    public static HomaAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        String port = text.substring(colon + 1);
        if (colon < 0 || !port.matches("[0-9]{1,5}")) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not an address with port such as 10.0.0.2:4000 or [fd77::2]:4000");
        }
        String host = text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            Ipv6Address address = Ipv6Address.parse(host.substring(1, host.length() - 1));
            return new HomaAddress(address.high(), address.low(), Integer.parseInt(port));
        }
        return new HomaAddress(IpAddress.parse(host), Integer.parseInt(port));
    }

    @Override
    public String toString() {
        return IpAddress.isMapped(hostHigh, hostLow)
                ? IpAddress.text((int) hostLow) + ":" + port
                : "[" + new Ipv6Address(hostHigh, hostLow) + "]:" + port;
    }
}
