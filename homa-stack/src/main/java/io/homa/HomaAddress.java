package io.homa;

import io.homa.net.IpAddress;

/// A Homa endpoint: a host and a port.
///
/// @param host IPv4 address in network order
/// @param port Homa port, 1…65535
public record HomaAddress(int host, int port) {
    public HomaAddress {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("Homa port is " + port + "; allowed are 1 to 65535");
        }
    }

    /// Parses `10.0.0.2:4000`. Names are not looked up.
    public static HomaAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        String port = text.substring(colon + 1);
        if (colon < 0 || !port.matches("[0-9]{1,5}")) {
            throw new IllegalArgumentException("'" + text + "' is not an address with port such as 10.0.0.2:4000");
        }
        return new HomaAddress(IpAddress.parse(text.substring(0, colon)), Integer.parseInt(port));
    }

    /// Returns the lower half of the host's v4-mapped IPv6 address.
    long hostLow() {
        return IpAddress.mapped(host);
    }

    @Override
    public String toString() {
        return IpAddress.text(host) + ":" + port;
    }
}
