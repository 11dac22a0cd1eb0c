package io.homa.net;

import java.net.Inet6Address;
import java.nio.ByteBuffer;

/// An IPv6 address in two halves, in network order.
public record Ipv6Address(long high, long low) {
    /// Parses the usual text forms, such as `fd77::1`.
    ///
    /// @throws IllegalArgumentException if the text is anything else; names are not looked up
    public static Ipv6Address parse(String text) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Inet6Address.ofLiteral(text).getAddress());
            if (bytes.remaining() != 2 * Long.BYTES) {
                throw new IllegalArgumentException("an IPv4 address");
            }
            return new Ipv6Address(bytes.getLong(), bytes.getLong());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "' is not an IPv6 address such as fd77::1", e);
        }
    }
}
