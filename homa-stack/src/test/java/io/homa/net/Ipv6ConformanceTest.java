package io.homa.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.engine.EngineConfig;
import io.homa.memory.Memory;
import io.homa.testing.Item;
import io.homa.testing.Scratch;
import io.homa.wire.Checksum;
import io.homa.wire.Ethernet;
import io.homa.wire.Icmpv6;
import io.homa.wire.Ipv4;
import io.homa.wire.Ipv6;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Items of the conformance checklist that look different over IPv6.
class Ipv6ConformanceTest {
    private static final int IP = Ethernet.LENGTH;
    private static final int HOMA = IP + Ipv6.LENGTH;
    private static final int ICMP = HOMA;

    @Test
    @Item({1, 5})
    void requestAndResponseCross() {
        try (NetworkFixture f = new NetworkFixture()) {
            f.request(NetworkFixture.PEER_IPV6, 4_000, 100);
            byte[] frame = f.sent().getFirst();
            assertEquals(
                    "02000a00000102000a00000286dd" // Ethernet
                            + "6c000000" + "009c" + "92" + "40"
                            + "fd770000000000000000000000000002" + "fd770000000000000000000000000001",
                    HexFormat.of().formatHex(frame, 0, HOMA));
            try (Scratch homa = Scratch.of(Arrays.copyOfRange(frame, HOMA, frame.length))) {
                int sum = Checksum.homa(
                        homa.address(),
                        frame.length - HOMA,
                        NetworkFixture.OWN_IPV6.high(),
                        NetworkFixture.OWN_IPV6.low(),
                        NetworkFixture.PEER_IPV6.high(),
                        NetworkFixture.PEER_IPV6.low());
                assertEquals(0, sum);
            }
            f.receive(f.homaFrameV6("DATA " + Long.toUnsignedString(f.lastRequestId() + 1) + " 0+10/10 in=10"));
            assertEquals(List.of("response 10"), f.events);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5})
    @Item(14)
    void priorityIsInTheTrafficClassWhereThePeerExpectsIt(int shift) {
        for (int priority = 0; priority < 8; priority++) {
            try (NetworkFixture f = new NetworkFixture(EngineConfig.DEFAULT, HeaderOptions.DEFAULT, shift)) {
                int[] cutoffs = new int[8];
                cutoffs[priority] = 1_000_000;
                String table = Arrays.toString(cutoffs).replaceAll("[\\[\\] ]", "");
                f.receive(f.homaFrameV6("CUTOFFS 77 v3 " + table));
                f.request(NetworkFixture.PEER_IPV6, 4_000, 100);
                byte[] frame = f.sent().getFirst();
                int trafficClass = (frame[IP] & 0x0F) << 4 | (frame[IP + 1] & 0xF0) >>> 4;
                assertEquals(priority << shift, trafficClass);
            }
        }
    }

    @Test
    @Item(14)
    void otherPlacesForThePriorityAreRefused() {
        Ipv6Config good = new Ipv6Config(NetworkFixture.OWN_IPV6, Map.of(), 4);
        assertThrows(IllegalArgumentException.class, () -> new Ipv6Config(good.address(), good.neighbours(), 3));
        assertThrows(IllegalArgumentException.class, () -> Ipv6Address.parse("10.0.0.1"));
        assertThrows(IllegalArgumentException.class, () -> Ipv6Address.parse("localhost"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1500, 9000})
    @Item(20)
    void packetsFillTheMtu(int mtu) {
        EngineConfig config = EngineConfig.DEFAULT.withMtu(mtu);
        try (NetworkFixture f = new NetworkFixture(config, HeaderOptions.DEFAULT)) {
            f.request(NetworkFixture.PEER_IPV6, 4_000, 30_000);
            List<byte[]> frames = f.sent();
            assertEquals(IP + mtu, frames.getFirst().length);
            assertTrue(frames.stream().allMatch(frame -> frame.length <= IP + mtu));
        }
    }

    @Test
    @Item(10)
    void paddingBehindThePacketIsNotDelivered() {
        try (NetworkFixture f = new NetworkFixture()) {
            f.receive(Arrays.copyOf(f.homaFrameV6("DATA 100 0+1/1 in=1"), 200));
            assertEquals(List.of("request 1"), f.events);
        }
    }

    @Test
    @Item({35, 36})
    void closedPortIsAnsweredByIcmpv6WithAQuote() {
        try (NetworkFixture f = new NetworkFixture()) {
            for (String packet : List.of("DATA 100 32768>99 0+8/8 in=8", "DATA 100 32768>32768 0+8/8 in=8")) {
                byte[] request = f.homaFrameV6(packet);
                f.receive(request);
                byte[] report = f.sent().getFirst();
                assertEquals(58, report[IP + 6]);
                assertEquals(Icmpv6.UNREACHABLE, report[ICMP]);
                assertEquals(Icmpv6.CODE_PORT, report[ICMP + 1]);
                assertArrayEquals(
                        Arrays.copyOfRange(request, IP, HOMA + 28),
                        Arrays.copyOfRange(report, ICMP + 8, ICMP + 8 + 68));
                try (Scratch scratch = Scratch.of(report)) {
                    assertTrue(Icmpv6.hasRightChecksum(scratch.address() + IP));
                }
            }
        }
    }

    /// Makes the report that the peer would send about a frame of ours.
    private static byte[] report(byte[] frame, int type, int code) {
        byte[] report = new byte[HOMA + Icmpv6.LENGTH + Ipv6.LENGTH + 28];
        try (Scratch scratch = Scratch.of(report)) {
            long ip = scratch.address() + IP;
            Ethernet.write(scratch.address(), NetworkFixture.OWN_MAC, NetworkFixture.PEER_MAC, Ethernet.TYPE_IPV6);
            Ipv6.write(
                    ip,
                    0,
                    report.length - HOMA,
                    Ipv6.NEXT_ICMP,
                    NetworkFixture.PEER_IPV6.high(),
                    NetworkFixture.PEER_IPV6.low(),
                    NetworkFixture.OWN_IPV6.high(),
                    NetworkFixture.OWN_IPV6.low());
            Memory.copyFrom(frame, IP, ip + Ipv6.LENGTH + Icmpv6.LENGTH, Ipv6.LENGTH + 28);
            Icmpv6.write(ip, type, code, 0);
            scratch.copyTo(report);
        }
        return report;
    }

    @Test
    @Item({113, 114, 115})
    void reportsFailWhatTheyQuoteAndNothingElse() {
        try (NetworkFixture f = new NetworkFixture()) {
            f.request(NetworkFixture.PEER_IPV6, 4_000, 100);
            byte[] quoted = f.sent().getFirst();
            f.request(NetworkFixture.PEER_IPV6, 4_001, 100);
            byte[] other = f.sent().getFirst();
            byte[] unknown = quoted.clone();
            unknown[HOMA + 27] ^= 0x40;
            f.receive(report(unknown, Icmpv6.UNREACHABLE, Icmpv6.CODE_PORT));
            int tooBig = 2;
            f.receive(report(quoted, tooBig, 0));
            byte[] damaged = report(quoted, Icmpv6.UNREACHABLE, Icmpv6.CODE_PORT);
            damaged[ICMP + 2]++;
            f.receive(damaged);
            assertEquals(List.of(), f.events);
            f.receive(report(quoted, Icmpv6.UNREACHABLE, Icmpv6.CODE_PORT));
            assertEquals(List.of("failed PORT_UNREACHABLE"), f.events);
            f.receive(report(other, Icmpv6.PARAMETER_PROBLEM, Icmpv6.CODE_NEXT_HEADER));
            assertEquals(List.of("failed PORT_UNREACHABLE", "failed PROTOCOL_UNSUPPORTED"), f.events);
        }
    }

    @Test
    @Item({16, 17})
    void tcpsNumberIsSentAndTaken() {
        try (NetworkFixture f = new NetworkFixture(EngineConfig.DEFAULT, HeaderOptions.HIJACKING)) {
            f.request(NetworkFixture.PEER_IPV6, 4_000, 100);
            assertEquals(Ipv4.PROTOCOL_TCP, f.sent().getFirst()[IP + 6]);
            byte[] frame = f.homaFrameV6("DATA 100 0+8/8 in=8");
            frame[IP + 6] = Ipv4.PROTOCOL_TCP;
            f.receive(frame);
            frame[HOMA + 13] = 0x02;
            f.receive(frame);
            assertEquals(List.of("request 8"), f.events);
        }
    }

    @Test
    void hostsBeyondTheSubnetCannotBeReachedWithoutAGateway() {
        try (NetworkFixture f = new NetworkFixture()) {
            f.request(Ipv6Address.parse("fd78::9"), 4_000, 100);
            assertEquals(List.of(), f.sent());
            assertEquals(1, f.count(NetCounter.DROPPED_NO_ROUTE));
        }
    }

    @Test
    void damagedFramesAreHarmless() {
        Random random = new Random(6);
        try (NetworkFixture f = new NetworkFixture()) {
            f.request(NetworkFixture.PEER_IPV6, 4_000, 100);
            List<byte[]> frames = List.of(
                    f.homaFrameV6("DATA 100 0+200/5000"),
                    f.homaFrameV6("NEED_ACK 101"),
                    report(f.sent().getFirst(), Icmpv6.UNREACHABLE, Icmpv6.CODE_PORT));
            for (int i = 0; i < 50_000; i++) {
                byte[] frame = frames.get(random.nextInt(frames.size())).clone();
                for (int damage = random.nextInt(4); damage >= 0; damage--) {
                    frame[IP + random.nextInt(frame.length - IP)] = (byte) random.nextInt();
                }
                f.receive(Arrays.copyOf(frame, 14 + random.nextInt(frame.length - 13)));
                f.sent();
                if (i % 1_000 == 0) {
                    f.advanceMs(120);
                }
            }
        }
    }
}
