package io.homa.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.engine.RpcError;
import io.homa.testing.Item;
import io.homa.testing.Scratch;
import io.homa.wire.Arp;
import io.homa.wire.Checksum;
import io.homa.wire.Ethernet;
import io.homa.wire.HomaHeader;
import io.homa.wire.Icmp;
import io.homa.wire.Ipv4;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NetworkLayerTest {
    /// An echo request of Linux's ping, 10.0.0.1 to 10.0.0.2, id 0x1234, sequence 1, 8 bytes.
    private static final byte[] PING = HexFormat.of()
            .parseHex("02000a00000202000a0000010800" + "45000024abcd4000400100000a0000010a000002" + "0800000012340001"
                    + "0102030405060708");

    private static byte[] ping() {
        byte[] frame = PING.clone();
        put16(frame, 24, checksum(frame, 14, 20));
        put16(frame, 36, checksum(frame, 34, 16));
        return frame;
    }

    private static int checksum(byte[] bytes, int from, int length) {
        try (Scratch scratch = Scratch.of(Arrays.copyOfRange(bytes, from, from + length))) {
            return Checksum.of(scratch.address(), length);
        }
    }

    private static void put16(byte[] bytes, int at, int value) {
        bytes[at] = (byte) (value >>> 8);
        bytes[at + 1] = (byte) value;
    }

    @Test
    void pingIsAnsweredWithItsOwnBytes() {
        try (NetworkFixture f = new NetworkFixture()) {
            f.receive(ping());
            byte[] reply = f.sent().getFirst();
            assertEquals(PING.length, reply.length);
            assertEquals(Icmp.ECHO_REPLY, reply[34]);
            assertArrayEquals(Arrays.copyOfRange(PING, 38, 50), Arrays.copyOfRange(reply, 38, 50));
            assertEquals("0a0000020a000001", HexFormat.of().formatHex(reply, 26, 34));
            assertEquals("02000a00000102000a000002", HexFormat.of().formatHex(reply, 0, 12));
            assertEquals(0, checksum(reply, 14, 20));
            assertEquals(0, checksum(reply, 34, 16));
        }
    }

    @Test
    void arpRequestForUsIsAnsweredAndTeachesTheSender() {
        try (NetworkFixture f = new NetworkFixture()) {
            f.receive(f.arpFrame(Arp.REQUEST, NetworkFixture.PEER_MAC, NetworkFixture.PEER_IP, NetworkFixture.OWN_IP));
            f.receive(f.arpFrame(Arp.REQUEST, NetworkFixture.PEER_MAC, NetworkFixture.PEER_IP, 0x0A00_0009));
            List<byte[]> sent = f.sent();
            assertEquals(1, sent.size());
            try (Scratch reply = Scratch.of(sent.getFirst())) {
                long arp = reply.address() + Ethernet.LENGTH;
                assertEquals(NetworkFixture.PEER_MAC, Ethernet.destination(reply.address()));
                assertEquals(Arp.REPLY, Arp.operation(arp));
                assertEquals(NetworkFixture.OWN_MAC, Arp.senderMac(arp));
                assertEquals(NetworkFixture.OWN_IP, Arp.senderIp(arp));
            }
            f.request(NetworkFixture.PEER_IP, 100);
            assertEquals(1, f.sent().size());
            assertEquals(0, f.count(NetCounter.ARP_REQUESTS_SENT));
        }
    }

    @Test
    void packetsWaitForTheirNeighbourAndLeaveInOrder() {
        try (NetworkFixture f = new NetworkFixture()) {
            for (int i = 0; i < 64; i++) {
                f.request(NetworkFixture.PEER_IP, 100);
            }
            List<byte[]> asked = f.sent();
            assertEquals(1, asked.size(), "one request for all of them");
            assertEquals(Ethernet.TYPE_ARP, (asked.getFirst()[12] & 0xFF) << 8 | asked.getFirst()[13] & 0xFF);
            byte[] reply =
                    f.arpFrame(Arp.REPLY, NetworkFixture.PEER_MAC, NetworkFixture.PEER_IP, NetworkFixture.OWN_IP);
            f.receive(reply);
            f.receive(reply);
            List<byte[]> sent = f.sent();
            assertEquals(64, sent.size());
            for (int i = 1; i < 64; i++) {
                long before = id(sent.get(i - 1));
                assertEquals(before + 2, id(sent.get(i)));
            }
        }
    }

    private static long id(byte[] frame) {
        try (Scratch scratch = Scratch.of(frame)) {
            return HomaHeader.senderId(scratch.address() + Ethernet.LENGTH + Ipv4.LENGTH);
        }
    }

    @Test
    void neighbourThatNeverAnswersFailsEveryRpcWithOneRequestPerInterval() {
        try (NetworkFixture f = new NetworkFixture()) {
            for (int i = 0; i < 64; i++) {
                f.request(NetworkFixture.PEER_IP, 100);
            }
            int requests = 0;
            for (int i = 0; i < 90; i++) {
                requests += f.sent().size();
                f.advanceMs(1);
            }
            assertEquals(2, requests);
            f.advanceMs(2_000);
            assertEquals(64, f.events.size());
            f.request(NetworkFixture.PEER_IP, 100);
            f.sent();
            f.events.clear();
            // The engine's own timeout is shorter than the neighbour's here; both are errors of the right kind.
            f.advanceMs(2_000);
            assertEquals(1, f.events.size());
        }
    }

    @Test
    void frameCarriesAddressesPriorityAndChecksums() {
        try (NetworkFixture f = new NetworkFixture()) {
            f.receive(f.arpFrame(Arp.REQUEST, NetworkFixture.PEER_MAC, NetworkFixture.PEER_IP, NetworkFixture.OWN_IP));
            f.sent();
            f.request(NetworkFixture.PEER_IP, 100);
            try (Scratch frame = Scratch.of(f.sent().getFirst())) {
                long ip = frame.address() + Ethernet.LENGTH;
                assertEquals(NetworkFixture.PEER_MAC, Ethernet.destination(frame.address()));
                assertTrue(Ipv4.isValid(ip, 176) && Ipv4.hasRightChecksum(ip));
                assertEquals(6 << 5, Ipv4.tos(ip));
                assertEquals(176, Ipv4.totalLength(ip));
                int sum = Checksum.homa(ip + Ipv4.LENGTH, 156, NetworkFixture.OWN_IP, NetworkFixture.PEER_IP);
                assertEquals(0, sum);
            }
        }
    }

    @Test
    @Item(10)
    void paddingOfShortFramesIsNotDelivered() {
        try (NetworkFixture f = new NetworkFixture()) {
            f.receive(Arrays.copyOf(f.homaFrame("DATA 100 0+1/1 in=1"), 200));
            assertEquals(List.of("request 1"), f.events);
        }
    }

    @Test
    void taggedFramesAreUnderstood() {
        try (NetworkFixture f = new NetworkFixture()) {
            byte[] plain = f.homaFrame("DATA 100 0+8/8 in=8");
            byte[] tagged = new byte[plain.length + 4];
            System.arraycopy(plain, 0, tagged, 0, 12);
            System.arraycopy(HexFormat.of().parseHex("8100e005"), 0, tagged, 12, 4);
            System.arraycopy(plain, 12, tagged, 16, plain.length - 12);
            f.receive(tagged);
            assertEquals(List.of("request 8"), f.events);
            assertEquals(1, f.count(NetCounter.VLAN_TAGS_SKIPPED));
        }
    }

    @Test
    void wrongFramesAreCountedByReason() {
        try (NetworkFixture f = new NetworkFixture()) {
            byte[] good = f.homaFrame("DATA 100 0+8/8 in=8");
            f.receive(changed(good, 0, 0x04)); // other unicast destination
            f.receive(changed(good, 33, 9)); // other IPv4 destination, checksum wrong
            f.receive(changed(good, 24, 1)); // checksum wrong
            f.receive(changed(good, 12, 0x77)); // other type
            f.receive(Arrays.copyOf(good, 10));
            byte[] fragment = changed(good, 20, 0x20);
            put16(fragment, 24, 0);
            put16(fragment, 24, checksum(fragment, 14, 20));
            f.receive(fragment);
            assertEquals(1, f.count(NetCounter.DROPPED_NOT_OURS));
            assertEquals(2, f.count(NetCounter.DROPPED_BAD_IP));
            assertEquals(1, f.count(NetCounter.DROPPED_OTHER_PROTOCOL));
            assertEquals(1, f.count(NetCounter.DROPPED_SHORT));
            assertEquals(1, f.count(NetCounter.DROPPED_FRAGMENT));
            assertEquals(List.of(), f.events);
        }
    }

    private static byte[] changed(byte[] frame, int at, int value) {
        byte[] copy = frame.clone();
        copy[at] = (byte) value;
        return copy;
    }

    @Test
    @Item(35)
    void closedPortIsAnsweredWithAQuoteThatNamesTheRpc() {
        try (NetworkFixture f = new NetworkFixture()) {
            byte[] request = f.homaFrame("DATA 100 32768>99 0+8/8 in=8");
            f.receive(request);
            byte[] error = f.sent().getFirst();
            assertEquals(14 + 20 + 8 + 20 + 28, error.length);
            assertEquals(Icmp.UNREACHABLE, error[34]);
            assertEquals(Icmp.CODE_PORT, error[35]);
            assertEquals(0, checksum(error, 34, error.length - 34));
            assertArrayEquals(Arrays.copyOfRange(request, 14, 62), Arrays.copyOfRange(error, 42, 90));
        }
    }

    @Test
    void errorsAreLimitedInRate() {
        try (NetworkFixture f = new NetworkFixture()) {
            byte[] request = f.homaFrame("DATA 100 32768>99 0+8/8 in=8");
            for (int i = 0; i < 500; i++) {
                f.receive(request);
                f.sent();
            }
            assertTrue(f.count(NetCounter.UNREACHABLES_SUPPRESSED) > 300);
            assertTrue(f.count(NetCounter.UNREACHABLES_SENT) >= 100);
        }
    }

    @Test
    @Item(115)
    void unreachableReportIsBelievedOnlyIfItQuotesALiveRpc() {
        try (NetworkFixture f = new NetworkFixture()) {
            f.receive(f.arpFrame(Arp.REQUEST, NetworkFixture.PEER_MAC, NetworkFixture.PEER_IP, NetworkFixture.OWN_IP));
            f.sent();
            f.request(NetworkFixture.PEER_IP, 100);
            byte[] ours = f.sent().getFirst();
            byte[] forged = ours.clone();
            forged[14 + 20 + 27] ^= 0x40;
            f.receive(IcmpReports.unreachable(forged, Icmp.CODE_PORT));
            f.receive(IcmpReports.unreachable(ours, Icmp.CODE_FRAGMENTATION_NEEDED));
            assertEquals(List.of(), f.events);
            f.receive(IcmpReports.unreachable(ours, Icmp.CODE_PORT));
            assertEquals(List.of("failed " + RpcError.PORT_UNREACHABLE), f.events);
        }
    }

    @Test
    void truncatedFramesOfEveryLengthAreHarmless() {
        try (NetworkFixture f = new NetworkFixture()) {
            List<byte[]> frames = List.of(
                    ping(),
                    f.homaFrame("DATA 100 0+200/5000"),
                    f.homaFrame("ACK 100 [102:4000]"),
                    f.homaFrame("CUTOFFS 101 v1 0,0,0,0,1,1,1,1"),
                    f.arpFrame(Arp.REQUEST, NetworkFixture.PEER_MAC, NetworkFixture.PEER_IP, NetworkFixture.OWN_IP));
            for (byte[] frame : frames) {
                for (int length = 0; length < frame.length; length++) {
                    f.receive(Arrays.copyOf(frame, length));
                    f.sent();
                }
            }
            assertEquals(List.of(), f.events);
        }
    }

    @Test
    void randomlyDamagedFramesAreHarmless() {
        Random random = new Random(5);
        try (NetworkFixture f = new NetworkFixture()) {
            List<byte[]> frames = List.of(
                    ping(),
                    f.homaFrame("DATA 100 0+200/5000"),
                    f.homaFrame("GRANT 100 5000@3"),
                    f.homaFrame("RESEND 100 all@7"),
                    f.homaFrame("NEED_ACK 101"),
                    f.arpFrame(Arp.REPLY, NetworkFixture.PEER_MAC, NetworkFixture.PEER_IP, NetworkFixture.OWN_IP));
            for (int i = 0; i < 200_000; i++) {
                byte[] frame = frames.get(random.nextInt(frames.size())).clone();
                for (int damage = random.nextInt(4); damage >= 0; damage--) {
                    // Mostly behind the IPv4 header, whose checksum would catch it.
                    int at = random.nextInt(10) == 0 ? random.nextInt(34) : 34 + random.nextInt(frame.length - 34);
                    frame[at] = (byte) random.nextInt();
                }
                f.receive(frame);
                f.sent();
                if (i % 1_000 == 0) {
                    f.advanceMs(120);
                }
            }
        }
    }
}
