package io.homa.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.testing.Scratch;

/// Target of a fuzzer: each codec on memory that ends where the input ends. What a codec calls valid it must be
/// able
/// to read. See `docs/testing.md`.
public final class WireFuzz {
    private static final long MAX_UNSIGNED_INT = 0xFFFF_FFFFL;

    private WireFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        try (Scratch scratch = Scratch.of(input)) {
            long address = scratch.address();
            int length = input.length;
            homa(address, length);
            link(address, length);
            internet(address, length);
            assertEquals(Checksum.of(address, length), slowChecksum(input));
        }
    }

    private static void homa(long header, int length) {
        String text = PacketText.format(header, length);
        assertEquals(!PacketType.isValid(header, length), text.startsWith("INVALID"));
        assertTrue(length >= HomaHeader.LENGTH || !HomaHeader.isInTcp(header, length));
        if (!PacketType.isValid(header, length)) {
            return;
        }
        assertEquals(HomaHeader.senderId(header) ^ 1, HomaHeader.localId(header));
        switch (HomaHeader.type(header)) {
            case PacketType.DATA -> data(header, length);
            case PacketType.GRANT -> {
                inUnsignedInt(GrantHeader.offset(header));
                GrantHeader.asksForAll(header, length);
            }
            case PacketType.ACK -> assertTrue(AckHeader.count(header) <= AckHeader.CAPACITY);
            case PacketType.RESEND -> inUnsignedInt(ResendHeader.offset(header));
            default -> {}
        }
        roundTrip(text, header);
    }

    private static void data(long header, int length) {
        inUnsignedInt(DataHeader.offset(header));
        if (DataHeader.isValid(header, length)) {
            assertTrue(DataHeader.offset(header) + length - DataHeader.LENGTH <= DataHeader.MAX_MESSAGE_LENGTH);
            assertTrue(DataHeader.messageLength(header) > 0);
        }
    }

    private static void inUnsignedInt(long value) {
        assertTrue(value >= 0 && value <= MAX_UNSIGNED_INT);
    }

    /// The text of a control packet says all that matters in it: written from that, it has the same text.
    private static void roundTrip(String text, long header) {
        if (HomaHeader.type(header) == PacketType.DATA) {
            return;
        }
        try (Scratch copy = new Scratch(256)) {
            int length = PacketText.write(text, copy.address());
            assertEquals(text, PacketText.format(copy.address(), length));
        }
    }

    private static void link(long frame, int length) {
        if (length >= Ethernet.TAGGED_LENGTH) {
            assertTrue(Ethernet.destination(frame) >>> 48 == 0 && Ethernet.source(frame) >>> 48 == 0);
            assertTrue(Ethernet.type(frame) >>> 16 == 0 && Ethernet.taggedType(frame) >>> 16 == 0);
        }
        if (Arp.isValid(frame, length)) {
            assertTrue(Arp.senderMac(frame) >>> 48 == 0 && Arp.operation(frame) >>> 16 == 0);
            assertEquals(Arp.targetIp(frame), Arp.targetIp(frame));
        }
    }

    private static void internet(long ip, int length) {
        if (Ipv4.isValid(ip, length)) {
            int headerLength = Ipv4.headerLength(ip);
            assertTrue(headerLength >= Ipv4.LENGTH && headerLength <= Ipv4.totalLength(ip));
            assertTrue(Ipv4.totalLength(ip) <= length);
            assertEquals(Checksum.of(ip, headerLength) == 0, Ipv4.hasRightChecksum(ip));
        }
        if (Ipv6.isValid(ip, length)) {
            assertTrue(Ipv6.LENGTH + Ipv6.payloadLength(ip) <= length);
            assertTrue(Ipv6.trafficClass(ip) >>> 8 == 0 && Ipv6.nextHeader(ip) >>> 8 == 0);
            if (Ipv6.payloadLength(ip) >= Icmpv6.LENGTH) {
                Icmpv6.hasRightChecksum(ip);
            }
        }
    }

    /// The ones-complement sum of 16-bit words, as RFC 1071 defines it.
    private static int slowChecksum(byte[] bytes) {
        long sum = 0;
        for (int i = 0; i < bytes.length; i++) {
            sum += (bytes[i] & 0xFFL) << ((i & 1) == 0 ? 8 : 0);
        }
        while (sum >>> 16 != 0) {
            sum = (sum & 0xFFFF) + (sum >>> 16);
        }
        return (int) ~sum & 0xFFFF;
    }
}
