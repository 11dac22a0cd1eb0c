package io.homa.net;

import io.homa.memory.Memory;
import io.homa.testing.FuzzInput;
import io.homa.testing.GuardedPool;
import io.homa.testing.Scratch;
import io.homa.wire.Checksum;
import io.homa.wire.Ethernet;
import io.homa.wire.Icmpv6;
import io.homa.wire.Ipv4;
import io.homa.wire.Ipv6;

/// Target of a fuzzer: frames from the wire to a host with IPv4, IPv6, ARP and ICMP, and what it sends back. Each
/// input is the life of a host, at the end of which no packet may be missing. See `docs/testing.md`.
public final class FrameFuzz {
    /// Flags before each frame: it is made to come to this host, with right checksums, so that it gets further.
    private static final int READDRESSED = 1;

    private static final int CHECKSUMMED = 2;
    /// A request leaves first; bits 4 to 6 choose its host.
    private static final int REQUEST_FIRST = 4;

    /// Time passes afterwards, as many milliseconds as bits 4 to 7 say and one.
    private static final int TIME_PASSES = 8;

    private static final int MAX_FRAME = 1_518;
    private static final GuardedPool POOL = new GuardedPool(64, 1_600);
    private static long frames;

    private FrameFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        FuzzInput in = new FuzzInput(input);
        HeaderOptions headers = in.next(2) == 0 ? HeaderOptions.DEFAULT : HeaderOptions.HIJACKING;
        try (FuzzedHost host = new FuzzedHost(POOL, headers)) {
            while (!in.isAtEnd()) {
                step(host, in);
                frames++;
            }
        }
    }

    public static void fuzzerTearDown() {
        System.out.println("fuzzed frames: " + frames);
    }

    /// Returns the input in which `frame` is received by the host that it is for.
    public static byte[] input(byte[] frame) {
        int length = Math.min(frame.length, MAX_FRAME);
        byte[] input = new byte[4 + length];
        input[1] = READDRESSED | CHECKSUMMED;
        input[2] = (byte) (length >>> 8);
        input[3] = (byte) length;
        System.arraycopy(frame, 0, input, 4, length);
        return input;
    }

    private static void step(FuzzedHost host, FuzzInput in) {
        int flags = in.nextByte();
        if ((flags & REQUEST_FIRST) != 0) {
            host.request(flags >>> 4 & 7);
        }
        byte[] frame = new byte[Math.min(in.nextShort(), Math.min(in.remaining(), MAX_FRAME))];
        in.copyTo(frame, 0, frame.length);
        try (Scratch scratch = Scratch.of(frame)) {
            if ((flags & READDRESSED) != 0 && frame.length > Ethernet.LENGTH) {
                readdress(scratch.address(), frame.length);
            }
            if ((flags & CHECKSUMMED) != 0 && frame.length > Ethernet.LENGTH) {
                setChecksums(scratch.address(), frame.length);
            }
            scratch.copyTo(frame);
        }
        host.receive(frame);
        if ((flags & TIME_PASSES) != 0) {
            host.advanceMs(1 + (flags >>> 4));
        }
    }

    private static void readdress(long frame, int length) {
        int ip = Ethernet.LENGTH;
        Ethernet.write(frame, NetworkFixture.OWN_MAC, Ethernet.source(frame), Ethernet.type(frame));
        switch (Ethernet.type(frame)) {
            case Ethernet.TYPE_IPV4 -> putInt(frame, ip + 16, length, FuzzedHost.OWN_IP);
            case Ethernet.TYPE_ARP -> putInt(frame, ip + 24, length, FuzzedHost.OWN_IP);
            case Ethernet.TYPE_IPV6 -> {
                if (length >= ip + Ipv6.LENGTH) {
                    Memory.putLong(frame + ip + 24, NetworkFixture.OWN_IPV6.high());
                    Memory.putLong(frame + ip + 32, NetworkFixture.OWN_IPV6.low());
                }
            }
            default -> {}
        }
    }

    private static void putInt(long frame, int offset, int length, int value) {
        if (length >= offset + Integer.BYTES) {
            Memory.putInt(frame + offset, value);
        }
    }

    private static void setChecksums(long frame, int length) {
        long ip = frame + Ethernet.LENGTH;
        int ipLength = length - Ethernet.LENGTH;
        if (Ethernet.type(frame) == Ethernet.TYPE_IPV4 && Ipv4.isValid(ip, ipLength)) {
            int headerLength = Ipv4.headerLength(ip);
            Memory.putShort(ip + 10, 0);
            Memory.putShort(ip + 10, Checksum.of(ip, headerLength));
            int icmpLength = Ipv4.totalLength(ip) - headerLength;
            if (Ipv4.protocol(ip) == Ipv4.PROTOCOL_ICMP && icmpLength >= Long.BYTES) {
                long icmp = ip + headerLength;
                Memory.putShort(icmp + 2, 0);
                Memory.putShort(icmp + 2, Checksum.of(icmp, icmpLength));
            }
        } else if (Ethernet.type(frame) == Ethernet.TYPE_IPV6 && Ipv6.isValid(ip, ipLength)) {
            long icmp = ip + Ipv6.LENGTH;
            if (Ipv6.nextHeader(ip) == Ipv6.NEXT_ICMP && Ipv6.payloadLength(ip) >= Icmpv6.LENGTH) {
                Icmpv6.write(ip, Icmpv6.type(icmp), Icmpv6.code(icmp), Memory.getInt(icmp + 4));
            }
        }
    }
}
