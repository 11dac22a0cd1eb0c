package io.homa.net;

import io.homa.memory.HotPath;

/// IPv4 addresses as ints in network order, as the lower half of a v4-mapped IPv6 address, and as text.
public final class IpAddress {
    private static final long MAPPED = 0xFFFF_0000_0000L;

    private IpAddress() {}

    /// Returns the lower half of the v4-mapped IPv6 address; the upper half is 0.
    @HotPath
    public static long mapped(int ipv4) {
        return MAPPED | (ipv4 & 0xFFFF_FFFFL);
    }

    @HotPath
    public static boolean isMapped(long high, long low) {
        return high == 0 && (low & ~0xFFFF_FFFFL) == MAPPED;
    }

    /// Parses `a.b.c.d`.
    ///
    /// @throws IllegalArgumentException if the text is anything else; names are not looked up
    public static int parse(String text) {
        String[] parts = text.split("\\.", -1);
        int address = 0;
        for (String part : parts) {
            if (parts.length != 4 || !part.matches("[0-9]{1,3}") || Integer.parseInt(part) > 255) {
                throw new IllegalArgumentException("'" + text + "' is not an IPv4 address such as 10.0.0.1");
            }
            address = address << 8 | Integer.parseInt(part);
        }
        return address;
    }

    /// Returns an address as `a.b.c.d`.
    public static String text(int ipv4) {
        return (ipv4 >>> 24) + "." + (ipv4 >>> 16 & 0xFF) + "." + (ipv4 >>> 8 & 0xFF) + "." + (ipv4 & 0xFF);
    }

    /// Parses `aa:bb:cc:dd:ee:ff` into the low 48 bits.
    public static long parseMac(String text) {
        if (!text.matches("([0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}")) {
            throw new IllegalArgumentException("'" + text + "' is not a hardware address such as 02:00:00:00:00:01");
        }
        return Long.parseLong(text.replace(":", ""), 16);
    }
}
