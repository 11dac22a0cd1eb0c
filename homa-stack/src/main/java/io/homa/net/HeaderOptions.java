package io.homa.net;

import io.homa.memory.HotPath;
import io.homa.wire.HomaHeader;
import io.homa.wire.Ipv4;

/// Choices about the headers of Homa packets on which hosts need not agree (protocol reference 2.11, 2.13).
///
/// @param fillsChecksum whether the TCP-style checksum is computed; no Homa receiver verifies it, but
///     middleboxes may
/// @param sendsAsTcp whether packets leave as IP protocol 6, like the kernel module's with `hijack_tcp`, so that
///     NICs and networks that only know TCP treat them well; stateful firewalls may drop them
/// @param acceptsTcp whether packets that come so are taken for Homa; other TCP is dropped in any case
public record HeaderOptions(boolean fillsChecksum, boolean sendsAsTcp, boolean acceptsTcp) {
    /// IP protocol 146 only, with checksums.
    public static final HeaderOptions DEFAULT = new HeaderOptions(true, false, false);

    /// TCP's protocol number in both directions; what comes with Homa's own is taken as well.
    public static final HeaderOptions HIJACKING = new HeaderOptions(true, true, true);

    public HeaderOptions {
        if (sendsAsTcp && !fillsChecksum) {
            throw new IllegalArgumentException(
                    "sendsAsTcp needs fillsChecksum: what looks like TCP must have its checksum");
        }
    }

    /// Returns the IP protocol that packets leave with.
    @HotPath
    int protocol() {
        return sendsAsTcp ? Ipv4.PROTOCOL_TCP : Ipv4.PROTOCOL_HOMA;
    }

    /// Says whether `length` bytes at `header`, which came with this IP protocol, are for Homa.
    @HotPath
    boolean accepts(int protocol, long header, int length) {
        return protocol == Ipv4.PROTOCOL_HOMA
                || (acceptsTcp && protocol == Ipv4.PROTOCOL_TCP && HomaHeader.isInTcp(header, length));
    }

    /// Says whether `length` bytes at `header`, which somebody quotes from a packet with this IP protocol, left
    /// here.
    @HotPath
    boolean isOwn(int protocol, long header, int length) {
        return protocol == protocol() && (!sendsAsTcp || HomaHeader.isInTcp(header, length));
    }
}
