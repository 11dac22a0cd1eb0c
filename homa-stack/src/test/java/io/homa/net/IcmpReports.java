package io.homa.net;

import io.homa.memory.Memory;
import io.homa.testing.Scratch;
import io.homa.wire.Ethernet;
import io.homa.wire.Icmp;
import io.homa.wire.Ipv4;

/// What the peer of a [NetworkFixture] reports about frames that it got.
final class IcmpReports {
    private static final int QUOTED_BYTES = 20 + 28;

    private IcmpReports() {}

    /// Makes the report that the peer would send about a frame of ours: destination unreachable.
    static byte[] unreachable(byte[] frame, int code) {
        return unreachable(frame, code, QUOTED_BYTES);
    }

    static byte[] unreachable(byte[] frame, int code, int quotedBytes) {
        byte[] report = new byte[Ethernet.LENGTH + Ipv4.LENGTH + Icmp.LENGTH + quotedBytes];
        try (Scratch scratch = Scratch.of(report)) {
            long ip = scratch.address() + Ethernet.LENGTH;
            long icmp = ip + Ipv4.LENGTH;
            Ethernet.write(scratch.address(), NetworkFixture.OWN_MAC, NetworkFixture.PEER_MAC, Ethernet.TYPE_IPV4);
            int length = Icmp.LENGTH + quotedBytes;
            Ipv4.write(ip, 0, Ipv4.LENGTH + length, Ipv4.PROTOCOL_ICMP, NetworkFixture.PEER_IP, NetworkFixture.OWN_IP);
            Memory.copyFrom(frame, Ethernet.LENGTH, icmp + Icmp.LENGTH, quotedBytes);
            Icmp.write(icmp, Icmp.UNREACHABLE, code, 0, length);
            Memory.copyTo(scratch.address(), report, 0, report.length);
        }
        return report;
    }
}
