package io.homa.net;

import io.homa.memory.HotPath;
import java.net.Inet6Address;
import java.nio.ByteBuffer;

/// An IPv6 address in two halves, in network order.
public record Ipv6Address(long high, long low) {
    private static final long LINK_LOCAL = 0xFE80L << 48;

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

    /// Returns the link-local address of a hardware address (RFC 4291, appendix A).
    public static Ipv6Address linkLocal(long mac) {
        long flipped = mac ^ 0x0200_0000_0000L;
        return new Ipv6Address(LINK_LOCAL, flipped >>> 24 << 40 | 0xFF_FE00_0000L | flipped & 0xFF_FFFFL);
    }

    @HotPath
    static boolean isLinkLocal(long high) {
        return high >>> 54 == LINK_LOCAL >>> 54;
    }

    @HotPath
    static boolean isMulticast(long high) {
        return high >>> 56 == 0xFF;
    }

    /// Returns the text form without shortening, such as `fd77:0:0:0:0:0:0:1`.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int shift = 48; shift >= 0; shift -= 16) {
            text.append(Long.toHexString(high >>> shift & 0xFFFF)).append(':');
        }
        for (int shift = 48; shift >= 0; shift -= 16) {
            text.append(Long.toHexString(low >>> shift & 0xFFFF)).append(shift == 0 ? "" : ":");
        }
        return text.toString();
    }
}
