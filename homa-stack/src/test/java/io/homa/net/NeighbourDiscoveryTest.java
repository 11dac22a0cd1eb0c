package io.homa.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.HomaAddress;
import io.homa.engine.EngineConfig;
import io.homa.memory.Memory;
import io.homa.testing.Scratch;
import io.homa.wire.Ethernet;
import io.homa.wire.Icmpv6;
import io.homa.wire.Ipv6;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Neighbour discovery, pings and packet too big over IPv6, in virtual time.
class NeighbourDiscoveryTest {
    private static final Ipv6Address OWN = NetworkFixture.OWN_IPV6;
    private static final Ipv6Address PEER = NetworkFixture.PEER_IPV6;
    private static final Ipv6Address NOBODY = new Ipv6Address(0, 0);
    private static final Ipv6Address OWN_LOCAL = Ipv6Address.parse("fe80::aff:fe00:2");
    private static final int IP = Ethernet.LENGTH;
    private static final int ICMP = IP + Ipv6.LENGTH;

    private static NetworkFixture host() {
        return new NetworkFixture(EngineConfig.DEFAULT, net -> net.withIpv6(Ipv6Config.of("fd77::2/64")));
    }

    private record Message(int type, int rest, Ipv6Address from, Ipv6Address to, Ipv6Address target, int hops) {
        static Message solicitation(Ipv6Address from, Ipv6Address target) {
            return new Message(Icmpv6.SOLICITATION, 0, from, Ipv6Address.parse("ff02::1:ff00:2"), target, 255);
        }

        static Message advertisement(Ipv6Address target, int flags) {
            return new Message(Icmpv6.ADVERTISEMENT, flags, target, OWN, target, 255);
        }

        byte[] frame(long mac) {
            byte[] frame = new byte[ICMP + Icmpv6.NEIGHBOUR_LENGTH];
            try (Scratch scratch = Scratch.of(frame)) {
                long ip = scratch.address() + IP;
                Ethernet.write(scratch.address(), NetworkFixture.OWN_MAC, mac, Ethernet.TYPE_IPV6);
                Ipv6.write(ip, 0, Icmpv6.NEIGHBOUR_LENGTH, 58, from.high(), from.low(), to.high(), to.low());
                Ipv6.hopLimit(ip, hops);
                boolean asks = type == Icmpv6.SOLICITATION;
                Icmpv6.writeNeighbour(ip + Ipv6.LENGTH, asks, target.high(), target.low(), mac);
                Icmpv6.write(ip, type, 0, rest);
                scratch.copyTo(frame);
            }
            return frame;
        }
    }

    private static Ipv6Address address(byte[] frame, int at) {
        try (Scratch scratch = Scratch.of(frame)) {
            return new Ipv6Address(Memory.getLong(scratch.address() + at), Memory.getLong(scratch.address() + at + 8));
        }
    }

    private static void assertChecksum(byte[] frame) {
        try (Scratch scratch = Scratch.of(frame)) {
            assertTrue(Icmpv6.hasRightChecksum(scratch.address() + IP));
        }
    }

    @Test
    void solicitationOfEitherAddressIsAnsweredAndTeachesTheSender() {
        for (Ipv6Address target : List.of(OWN, OWN_LOCAL)) {
            try (NetworkFixture f = host()) {
                f.receive(Message.solicitation(PEER, target).frame(NetworkFixture.PEER_MAC));
                List<byte[]> sent = f.sent();
                assertEquals(1, sent.size());
                byte[] answer = sent.getFirst();
                assertChecksum(answer);
                assertEquals(Icmpv6.ADVERTISEMENT, answer[ICMP] & 0xFF);
                assertEquals(0x60, answer[ICMP + 4], "solicited, override");
                assertEquals(255, answer[IP + 7] & 0xFF);
                assertEquals(target, address(answer, IP + 8));
                assertEquals(PEER, address(answer, IP + 24));
                assertEquals(target, address(answer, ICMP + 8));
                f.request(PEER, 4_000, 100);
                assertEquals(1, f.sent().size());
                assertEquals(0, f.count(NetCounter.SOLICITATIONS_SENT));
            }
        }
    }

    @Test
    void hostThatLooksForDuplicatesIsToldByGroup() {
        try (NetworkFixture f = host()) {
            f.receive(Message.solicitation(NOBODY, OWN).frame(NetworkFixture.PEER_MAC));
            byte[] answer = f.sent().getFirst();
            assertEquals(Ipv6Address.parse("ff02::1"), address(answer, IP + 24));
            assertEquals(0x20, answer[ICMP + 4], "not solicited");
            assertArrayEquals(new byte[] {0x33, 0x33, 0, 0, 0, 1}, Arrays.copyOf(answer, 6));
        }
    }

    @Test
    void packetsWaitForOneAnswerAndLeaveInOrder() {
        try (NetworkFixture f = host()) {
            for (int i = 0; i < 64; i++) {
                f.request(PEER, 4_000, 100);
            }
            List<byte[]> asked = f.sent();
            assertEquals(1, asked.size(), "one solicitation for all of them");
            assertEquals(Ipv6Address.parse("ff02::1:ff00:1"), address(asked.getFirst(), IP + 24));
            assertEquals(OWN, address(asked.getFirst(), IP + 8));
            assertChecksum(asked.getFirst());
            f.advanceMs(49);
            assertEquals(List.of(), f.sent());
            f.receive(Message.advertisement(PEER, Icmpv6.SOLICITED).frame(NetworkFixture.PEER_MAC));
            assertEquals(64, f.sent().size());
            assertEquals(1, f.count(NetCounter.NDP_LEARNED));
        }
    }

    @Test
    void neighbourThatNeverAnswersFailsEveryRpc() {
        try (NetworkFixture f = host()) {
            for (int i = 0; i < 64; i++) {
                f.request(PEER, 4_000, 100);
            }
            f.sent();
            f.advanceMs(2_000);
            assertEquals(64, f.events.size());
            assertTrue(f.count(NetCounter.SOLICITATIONS_SENT) <= 40, "one for each 50 ms");
        }
    }

    @Test
    void onlyAnOverridingAdvertisementMovesAKnownNeighbour() {
        try (NetworkFixture f = host()) {
            f.receive(Message.solicitation(PEER, OWN).frame(NetworkFixture.PEER_MAC));
            f.receive(Message.advertisement(PEER, Icmpv6.SOLICITED).frame(0x0200_0000_0077L));
            f.sent();
            f.request(PEER, 4_000, 100);
            assertEquals(0x02, f.sent().getFirst()[0]);
            f.receive(Message.advertisement(PEER, Icmpv6.OVERRIDE).frame(0x0200_0000_0077L));
            f.request(PEER, 4_000, 100);
            assertEquals(0x77, f.sent().getFirst()[5]);
        }
    }

    @Test
    void forgedMessagesAreCounted() {
        try (NetworkFixture f = host()) {
            Message good = Message.solicitation(PEER, OWN);
            Message routed = new Message(good.type(), 0, PEER, good.to(), OWN, 254);
            f.receive(routed.frame(NetworkFixture.PEER_MAC));
            f.receive(new Message(good.type(), 0, PEER, good.to(), Ipv6Address.parse("ff02::1"), 255)
                    .frame(NetworkFixture.PEER_MAC));
            f.receive(good.frame(0x0300_0000_0001L));
            assertEquals(3, f.count(NetCounter.DROPPED_BAD_NDP));
            f.receive(Message.advertisement(OWN, Icmpv6.OVERRIDE).frame(0x0200_0000_0077L));
            assertEquals(1, f.count(NetCounter.ADDRESS_CONFLICTS));
            assertEquals(List.of(), f.sent());
        }
    }

    @Test
    void pingsAreAnsweredFromTheAddressTheyCameTo() {
        try (NetworkFixture f = host()) {
            for (Ipv6Address own : List.of(OWN, OWN_LOCAL)) {
                byte[] ping = new byte[ICMP + 8 + 56];
                try (Scratch scratch = Scratch.of(ping)) {
                    long ip = scratch.address() + IP;
                    Ethernet.write(
                            scratch.address(), NetworkFixture.OWN_MAC, NetworkFixture.PEER_MAC, Ethernet.TYPE_IPV6);
                    Ipv6.write(ip, 0, 64, 58, PEER.high(), PEER.low(), own.high(), own.low());
                    Memory.putLong(ip + Ipv6.LENGTH + 16, 0x1122_3344_5566_7788L);
                    Icmpv6.write(ip, Icmpv6.ECHO_REQUEST, 0, 0x1234_0001);
                    scratch.copyTo(ping);
                }
                f.receive(ping);
                byte[] reply = f.sent().getFirst();
                assertChecksum(reply);
                assertEquals(Icmpv6.ECHO_REPLY, reply[ICMP] & 0xFF);
                assertEquals(own, address(reply, IP + 8));
                assertEquals(PEER, address(reply, IP + 24));
                assertArrayEquals(
                        Arrays.copyOfRange(ping, ICMP + 4, ping.length),
                        Arrays.copyOfRange(reply, ICMP + 4, reply.length));
            }
        }
    }

    @Test
    void announcementNamesTheConfiguredAddress() {
        try (NetworkFixture f = host()) {
            f.network.onLink(true, f.nowNs());
            byte[] announcement = f.sent().get(1);
            assertChecksum(announcement);
            assertEquals(OWN, address(announcement, ICMP + 8));
            assertEquals(Ipv6Address.parse("ff02::1"), address(announcement, IP + 24));
        }
    }

    @Test
    void hostsBeyondTheSubnetAreReachedByTheGateway() {
        Ipv6Config place = Ipv6Config.of("fd77::2/64").withGateway(PEER);
        try (NetworkFixture f = new NetworkFixture(EngineConfig.DEFAULT, net -> net.withIpv6(place))) {
            f.receive(Message.solicitation(PEER, OWN).frame(NetworkFixture.PEER_MAC));
            f.sent();
            Ipv6Address far = Ipv6Address.parse("2001:db8::9");
            f.request(far, 4_000, 100);
            byte[] frame = f.sent().getFirst();
            assertEquals(far, address(frame, IP + 24));
            assertEquals(1, frame[5]);
        }
    }

    @Test
    void linkLocalHostsAreCalledFromTheLinkLocalAddress() {
        try (NetworkFixture f = host()) {
            Ipv6Address local = Ipv6Address.parse("fe80::1");
            f.receive(Message.solicitation(local, OWN_LOCAL).frame(NetworkFixture.PEER_MAC));
            f.sent();
            f.request(local, 4_000, 100);
            assertEquals(OWN_LOCAL, address(f.sent().getFirst(), IP + 8));
        }
    }

    @Test
    void textOfAddressesIsReadAndChecked() {
        assertEquals(OWN_LOCAL, Ipv6Address.linkLocal(NetworkFixture.OWN_MAC));
        HomaAddress server = HomaAddress.parse("[fd77::2]:4000");
        assertEquals(server, HomaAddress.parse(server.toString()));
        for (String wrong : List.of("fd77::1", "fd77::1/0", "fd77::1/129", "10.0.0.1/24", "/64")) {
            assertThrows(IllegalArgumentException.class, () -> Ipv6Config.of(wrong), wrong);
        }
        assertTrue(Ipv6Config.of("fd77::2/64").isOnLink(OWN.high(), -1));
        assertTrue(!Ipv6Config.of("fd77::2/127").isOnLink(OWN.high(), 4));
    }
}
