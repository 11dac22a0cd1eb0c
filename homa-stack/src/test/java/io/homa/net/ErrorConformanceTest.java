package io.homa.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.homa.engine.EngineConfig;
import io.homa.testing.Item;
import io.homa.wire.Icmp;
import io.homa.wire.PacketText;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Items of the conformance checklist about ports that nobody serves and what ICMP says: C and K.
class ErrorConformanceTest {
    private static final int ICMP = 34;

    private static void expectPortUnreachable(NetworkFixture f, String packet) {
        f.receive(f.homaFrame(packet));
        List<byte[]> sent = f.sent();
        assertEquals(1, sent.size());
        byte[] report = sent.getFirst();
        assertEquals(1, report[23], "ICMP");
        assertEquals(Icmp.UNREACHABLE, report[ICMP]);
        assertEquals(Icmp.CODE_PORT, report[ICMP + 1]);
    }

    @Test
    @Item(36)
    void requestToAClientIsRefusedUntilItServes() {
        try (NetworkFixture f = new NetworkFixture()) {
            String request = "DATA 100 32768>32768 0+8/8 in=8";
            expectPortUnreachable(f.withNeighbour(), request);
            f.engine.closePort(PacketText.CLIENT_PORT, f.nowNs());
            f.engine.openPort(PacketText.CLIENT_PORT, true);
            f.receive(f.homaFrame(request));
            assertEquals(List.of("request 8"), f.events);
        }
    }

    @Test
    @Item(113)
    void portUnreachableFailsTheRpcsToThatPortOnly() {
        try (NetworkFixture f = new NetworkFixture()) {
            f.withNeighbour().request(NetworkFixture.PEER_IP, 4_000, 100);
            byte[] quoted = f.sent().getFirst();
            f.request(NetworkFixture.PEER_IP, 4_000, 200);
            f.request(NetworkFixture.PEER_IP, 4_001, 300);
            f.sent();
            f.receive(IcmpReports.unreachable(quoted, Icmp.CODE_PORT));
            assertEquals(List.of("failed PORT_UNREACHABLE", "failed PORT_UNREACHABLE"), f.events);
            assertEquals(1, f.engine.rpcCount());
        }
    }

    @Test
    @Item({54, 114})
    void fragmentationNeededNeitherFailsNorCutsAnew() {
        try (NetworkFixture f = new NetworkFixture()) {
            f.withNeighbour().request(NetworkFixture.PEER_IP, 5_000);
            List<byte[]> first = f.sent();
            f.receive(IcmpReports.unreachable(first.getFirst(), Icmp.CODE_FRAGMENTATION_NEEDED));
            assertEquals(List.of(), f.events);
            f.receive(f.homaFrame("RESEND " + Long.toUnsignedString(f.lastRequestId() + 1) + " all@7"));
            List<byte[]> again = f.sent();
            assertEquals(first.size(), again.size());
            for (int i = 0; i < again.size(); i++) {
                assertEquals(first.get(i).length, again.get(i).length);
            }
        }
    }

    @Test
    @Item(115)
    void reportMustNameTheHostAndPortOfItsRpc() {
        try (NetworkFixture f = new NetworkFixture()) {
            f.withNeighbour().request(NetworkFixture.PEER_IP, 4_000, 100);
            byte[] quoted = f.sent().getFirst();
            f.request(NetworkFixture.PEER_IP, 4_001, 100);
            f.sent();
            byte[] otherPort = quoted.clone();
            otherPort[34 + 3]++;
            f.receive(IcmpReports.unreachable(otherPort, Icmp.CODE_PORT));
            byte[] otherSource = quoted.clone();
            otherSource[14 + 15]++;
            f.receive(IcmpReports.unreachable(otherSource, Icmp.CODE_PORT));
            assertEquals(List.of(), f.events);
            f.receive(IcmpReports.unreachable(quoted, Icmp.CODE_PORT));
            assertEquals(List.of("failed PORT_UNREACHABLE"), f.events);
        }
    }

    @Test
    @Item({16, 115})
    void reportAboutPacketsInTcpMustQuoteTheMarks() {
        try (NetworkFixture f = new NetworkFixture(EngineConfig.DEFAULT, HeaderOptions.HIJACKING)) {
            f.withNeighbour().request(NetworkFixture.PEER_IP, 100);
            byte[] quoted = f.sent().getFirst();
            f.receive(IcmpReports.unreachable(quoted, Icmp.CODE_PORT, 20 + 8));
            byte[] tcp = quoted.clone();
            tcp[34 + 13] = 0x02;
            f.receive(IcmpReports.unreachable(tcp, Icmp.CODE_PORT));
            assertEquals(List.of(), f.events);
            f.receive(IcmpReports.unreachable(quoted, Icmp.CODE_PORT));
            assertEquals(List.of("failed PORT_UNREACHABLE"), f.events);
        }
    }

    @Test
    @Item(120)
    void closingSendsNothingAndLaterPacketsAreRefused() {
        try (NetworkFixture f = new NetworkFixture()) {
            f.withNeighbour().request(NetworkFixture.PEER_IP, 100);
            f.receive(f.homaFrame("DATA 100 0+1424/5000"));
            f.sent();
            f.engine.closePort(PacketText.SERVER_PORT, f.nowNs());
            f.engine.closePort(PacketText.CLIENT_PORT, f.nowNs());
            assertEquals(List.of(), f.sent());
            assertEquals(List.of("failed CLOSED"), f.events);
            assertEquals(0, f.engine.rpcCount());
            expectPortUnreachable(f, "DATA 100 1424+1424/5000");
            expectPortUnreachable(f, "DATA " + Long.toUnsignedString(f.lastRequestId() + 1) + " 0+10/10 in=10");
        }
    }

    @Test
    @Item(35)
    void everyPacketToAnUnusedPortIsRefusedWithAQuoteOfIt() {
        try (NetworkFixture f = new NetworkFixture()) {
            f.withNeighbour();
            for (String packet : List.of("DATA 100 32768>99 0+8/8 in=8", "RESEND 100 32768>99 all@7")) {
                byte[] request = f.homaFrame(packet);
                f.receive(request);
                byte[] report = f.sent().getFirst();
                assertEquals(
                        Arrays.toString(Arrays.copyOfRange(request, 14, 62)),
                        Arrays.toString(Arrays.copyOfRange(report, ICMP + 8, ICMP + 56)));
            }
        }
    }
}
