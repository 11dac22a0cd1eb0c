package io.homa.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.engine.EngineConfig;
import io.homa.testing.Scratch;
import io.homa.wire.Arp;
import io.homa.wire.Ethernet;
import io.homa.wire.HomaHeader;
import io.homa.wire.Icmp;
import io.homa.wire.Ipv4;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The daily life of a network over IPv4, in virtual time: neighbours come, move and go, tags, links and MTUs.
class NeighbourLifeTest {
    private static final long NEW_MAC = 0x0200_0000_0099L;
    private static final int MAX_WAITING = 4_096;

    private static NetworkFixture host() {
        return new NetworkFixture(EngineConfig.DEFAULT, net -> net);
    }

    private static int type(byte[] frame) {
        return (frame[12] & 0xFF) << 8 | frame[13] & 0xFF;
    }

    private static long destination(byte[] frame) {
        return HexFormat.fromHexDigitsToLong(HexFormat.of().formatHex(frame, 0, 6));
    }

    private static List<byte[]> homa(List<byte[]> frames) {
        return frames.stream()
                .filter(frame -> type(frame) == Ethernet.TYPE_IPV4)
                .toList();
    }

    @Test
    void gratuitousArpOfANeighbourMovesIt() {
        try (NetworkFixture f = host().withNeighbour()) {
            f.receive(f.arpFrame(Arp.REQUEST, NEW_MAC, NetworkFixture.PEER_IP, NetworkFixture.PEER_IP));
            f.request(NetworkFixture.PEER_IP, 100);
            assertEquals(NEW_MAC, destination(f.sent().getFirst()));
        }
    }

    @Test
    void linkUpIsAnnouncedOnceEachTime() {
        try (NetworkFixture f = host()) {
            f.network.onLink(true, f.nowNs());
            f.network.onLink(true, f.nowNs());
            List<byte[]> sent = f.sent();
            assertEquals(1, sent.size());
            try (Scratch frame = Scratch.of(sent.getFirst())) {
                long arp = frame.address() + Ethernet.LENGTH;
                assertEquals(Ethernet.BROADCAST, Ethernet.destination(frame.address()));
                assertEquals(NetworkFixture.OWN_IP, Arp.senderIp(arp));
                assertEquals(NetworkFixture.OWN_IP, Arp.targetIp(arp));
            }
            f.network.onLink(false, f.nowNs());
            f.network.onLink(false, f.nowNs());
            assertEquals(List.of(), f.sent());
            f.network.onLink(true, f.nowNs());
            assertEquals(1, f.sent().size());
            assertEquals(1, f.count(NetCounter.LINK_DOWNS));
            assertEquals(2, f.count(NetCounter.ANNOUNCEMENTS_SENT));
        }
    }

    @Test
    void knownNeighboursAreConfirmedAfterTheLinkWasDown() {
        try (NetworkFixture f = host().withNeighbour()) {
            f.network.onLink(true, f.nowNs());
            f.network.onLink(false, f.nowNs());
            f.network.onLink(true, f.nowNs());
            f.sent();
            f.request(NetworkFixture.PEER_IP, 100);
            List<byte[]> sent = f.sent();
            assertEquals(1, homa(sent).size(), "and meanwhile used");
            assertEquals(2, sent.size());
        }
    }

    @Test
    void neighbourThatNoLongerAnswersExpires() {
        try (NetworkFixture f = host().withNeighbour()) {
            f.advanceMs(Neighbours.REFRESH_NS / 1_000_000 + 1);
            for (int i = 0; i < Neighbours.MAX_TRIES; i++) {
                f.request(NetworkFixture.PEER_IP, 100);
                assertFalse(homa(f.sent()).isEmpty(), "used while it is being confirmed");
                assertEquals(0, f.count(NetCounter.NEIGHBOURS_EXPIRED));
                f.advanceMs(Neighbours.REQUEST_INTERVAL_NS / 1_000_000);
            }
            f.request(NetworkFixture.PEER_IP, 100);
            assertEquals(0, homa(f.sent()).size(), "waits for a new answer");
            assertEquals(1, f.count(NetCounter.NEIGHBOURS_EXPIRED));
            f.receive(f.arpFrame(Arp.REPLY, NEW_MAC, NetworkFixture.PEER_IP, NetworkFixture.OWN_IP));
            List<byte[]> late = homa(f.sent());
            assertFalse(late.isEmpty());
            assertEquals(NEW_MAC, destination(late.getFirst()));
        }
    }

    @Test
    void neighbourThatAnswersNeverExpires() {
        try (NetworkFixture f = host().withNeighbour()) {
            long before = f.count(NetCounter.ARP_REQUESTS_SENT);
            for (int i = 0; i < 3; i++) {
                f.advanceMs(Neighbours.REFRESH_NS / 1_000_000 + 1);
                f.request(NetworkFixture.PEER_IP, 100);
                f.sent();
                f.receive(
                        f.arpFrame(Arp.REPLY, NetworkFixture.PEER_MAC, NetworkFixture.PEER_IP, NetworkFixture.OWN_IP));
            }
            assertEquals(3, f.count(NetCounter.ARP_REQUESTS_SENT) - before);
            assertEquals(0, f.count(NetCounter.NEIGHBOURS_EXPIRED));
        }
    }

    /// As many requests as 64 threads have on their way: all wait, none of them asks again, and the first is not
    /// pushed out by the last.
    @Test
    void parallelRequestsWaitForOneAnswerAndTheFirstIsKept() {
        EngineConfig config = EngineConfig.DEFAULT;
        try (NetworkFixture f = new NetworkFixture(config, net -> net)) {
            int count = 64 * 24;
            for (int i = 0; i < count; i++) {
                f.request(NetworkFixture.PEER_IP, 100);
            }
            assertEquals(1, f.sent().size(), "one ARP request");
            assertTrue(count < MAX_WAITING);
            f.advanceMs(49);
            assertEquals(0, f.sent().size());
            f.advanceMs(2);
            assertEquals(
                    1,
                    f.sent().stream()
                            .filter(frame -> type(frame) == Ethernet.TYPE_ARP)
                            .count());
            f.receive(f.arpFrame(Arp.REPLY, NetworkFixture.PEER_MAC, NetworkFixture.PEER_IP, NetworkFixture.OWN_IP));
            List<byte[]> sent = f.sent();
            f.advanceMs(1);
            int all = homa(sent).size() + homa(f.sent()).size();
            assertTrue(all >= count, all + " of " + count + " left");
            long first = id(homa(sent).getFirst());
            assertTrue(homa(sent).stream().allMatch(frame -> id(frame) >= first));
        }
    }

    private static long id(byte[] frame) {
        try (Scratch scratch = Scratch.of(frame)) {
            return HomaHeader.senderId(scratch.address() + Ethernet.LENGTH + Ipv4.LENGTH);
        }
    }

    @Test
    void anotherHostWithOurAddressIsCounted() {
        try (NetworkFixture f = host()) {
            f.receive(f.arpFrame(Arp.REPLY, NEW_MAC, NetworkFixture.OWN_IP, NetworkFixture.OWN_IP));
            assertEquals(1, f.count(NetCounter.ADDRESS_CONFLICTS));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 4_094})
    void tagCarriesVlanAndPriority(int vlan) {
        try (NetworkFixture f = new NetworkFixture(EngineConfig.DEFAULT, net -> net.withVlan(vlan))) {
            f.receive(tagged(
                    f.arpFrame(Arp.REQUEST, NetworkFixture.PEER_MAC, NetworkFixture.PEER_IP, NetworkFixture.OWN_IP),
                    vlan));
            byte[] answer = f.sent().getFirst();
            assertEquals(Ethernet.TYPE_VLAN, type(answer));
            assertEquals(Ethernet.TAGGED_LENGTH + Arp.LENGTH, answer.length);
            f.request(NetworkFixture.PEER_IP, 100);
            byte[] frame = f.sent().getFirst();
            int tag = (frame[14] & 0xFF) << 8 | frame[15] & 0xFF;
            assertEquals(vlan, tag & 0xFFF);
            assertEquals((frame[Ethernet.TAGGED_LENGTH + 1] & 0xFF) >>> 5, tag >>> 13, "as the DSCP");
            assertNotEquals(0, tag >>> 13);
            assertEquals(0x45, frame[Ethernet.TAGGED_LENGTH]);
        }
    }

    @Test
    void framesOfOtherVlansAreDropped() {
        try (NetworkFixture f = new NetworkFixture(EngineConfig.DEFAULT, net -> net.withVlan(7))) {
            byte[] arp =
                    f.arpFrame(Arp.REQUEST, NetworkFixture.PEER_MAC, NetworkFixture.PEER_IP, NetworkFixture.OWN_IP);
            f.receive(arp);
            f.receive(tagged(arp, 8));
            assertEquals(List.of(), f.sent());
            assertEquals(2, f.count(NetCounter.DROPPED_OTHER_VLAN));
            f.receive(tagged(arp, 7));
            assertEquals(1, f.sent().size());
        }
    }

    private static byte[] tagged(byte[] plain, int vlan) {
        byte[] frame = new byte[plain.length + 4];
        System.arraycopy(plain, 0, frame, 0, 12);
        System.arraycopy(HexFormat.of().parseHex("8100"), 0, frame, 12, 2);
        frame[14] = (byte) (vlan >>> 8);
        frame[15] = (byte) vlan;
        System.arraycopy(plain, 12, frame, 16, plain.length - 12);
        return frame;
    }

    @Test
    void impossibleVlansAreRefused() {
        NetConfig net = NetConfig.of("10.0.0.1/24");
        assertThrows(IllegalArgumentException.class, () -> net.withVlan(4_095));
        assertThrows(IllegalArgumentException.class, () -> net.withVlan(-2));
    }

    @Test
    void smallestPathMtuIsRemembered() {
        try (NetworkFixture f = host().withNeighbour()) {
            f.request(NetworkFixture.PEER_IP, 5_000);
            byte[] frame = f.sent().getFirst();
            for (int mtu : new int[] {1_400, 1_000, 1_200, 20}) {
                byte[] report = IcmpReports.unreachable(frame, Icmp.CODE_FRAGMENTATION_NEEDED);
                try (Scratch scratch = Scratch.of(report)) {
                    long icmp = scratch.address() + Ethernet.LENGTH + Ipv4.LENGTH;
                    int length = report.length - Ethernet.LENGTH - Ipv4.LENGTH;
                    Icmp.write(icmp, Icmp.UNREACHABLE, Icmp.CODE_FRAGMENTATION_NEEDED, mtu, length);
                    scratch.copyTo(report);
                }
                f.receive(report);
            }
            assertEquals(4, f.count(NetCounter.PACKETS_TOO_BIG));
            assertEquals(1_000, f.count(NetCounter.SMALLEST_PATH_MTU));
            assertEquals(List.of(), f.events);
        }
    }

    @Test
    void fullTableGivesUpWhatNobodyHasConfirmed() {
        Neighbours table = new Neighbours(NetConfig.of("10.0.0.2/16"));
        long nowNs = 1_000_000_000;
        for (int i = 1; i < 4_096; i++) {
            table.findOrAdd(1, i, nowNs);
            table.learn(1, i, NEW_MAC, nowNs);
        }
        assertEquals(Neighbours.NONE, table.findOrAdd(2, 1, nowNs), "all were confirmed just now");
        table.learn(1, 77, NEW_MAC, nowNs + 1);
        long later = nowNs + Neighbours.REFRESH_NS;
        int entry = table.findOrAdd(2, 1, later);
        assertTrue(entry > 0);
        assertTrue(table.isOf(entry, 2, 1));
        assertEquals(entry, table.find(2, 1));
        assertEquals(0, table.mac(entry));
        int missing = 0;
        for (int i = 1; i < 4_096; i++) {
            missing += table.find(1, i) == Neighbours.NONE ? 1 : 0;
        }
        assertEquals(1, missing);
        assertTrue(table.find(1, 77) >= 0);
        assertTrue(table.find(0, IpAddress.mapped(0x0A00_0002)) >= 0, "this host itself stays");
    }
}
