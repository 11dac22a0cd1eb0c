package io.homa.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.engine.EngineConfig;
import io.homa.testing.Item;
import io.homa.testing.Scratch;
import io.homa.wire.Checksum;
import io.homa.wire.HomaHeader;
import io.homa.wire.Ipv4;
import io.homa.wire.PacketType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Items of the conformance checklist about what surrounds a Homa packet, and its first 28 bytes: A, and the MTU.
class EncapsulationConformanceTest {
    private static final int IP = 14;
    private static final int HOMA = 34;
    private static final int TOS = IP + 1;
    private static final int PROTOCOL = IP + 9;
    private static final int TYPE = HOMA + HomaHeader.TYPE_OFFSET;

    /// Returns a frame of every type that this stack sends.
    private static List<byte[]> everything(NetworkFixture f) {
        List<byte[]> frames = new ArrayList<>();
        f.withNeighbour().request(NetworkFixture.PEER_IP, 100);
        f.receive(f.homaFrame("DATA 100 0+1424/50000 in=1424 v=0"));
        f.receive(f.homaFrame("RESEND 100 all@7"));
        f.receive(f.homaFrame("RESEND 900 all@7"));
        f.receive(f.homaFrame("NEED_ACK 701"));
        f.receive(f.homaFrame("DATA 102 0+10/10 in=10"));
        f.respond(10);
        frames.addAll(f.sent());
        for (int i = 0; i < 6; i++) {
            f.advanceMs(1);
            frames.addAll(f.sent());
        }
        TreeSet<Integer> types = new TreeSet<>();
        frames.forEach(frame -> types.add((int) frame[TYPE]));
        // All but FREEZE.
        assertEquals(List.of(0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x17, 0x18), List.copyOf(types));
        return frames;
    }

    private static int get16(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) << 8 | bytes[at + 1] & 0xFF;
    }

    private static boolean isData(byte[] frame) {
        return frame[TYPE] == PacketType.DATA;
    }

    @Test
    @Item({1, 14})
    void everyPacketIsHomaInIpv4FromThisHost() {
        try (NetworkFixture f = new NetworkFixture()) {
            for (byte[] frame : everything(f)) {
                assertEquals(146, frame[PROTOCOL] & 0xFF);
                assertArrayEquals(new byte[] {10, 0, 0, 2, 10, 0, 0, 1}, Arrays.copyOfRange(frame, IP + 12, HOMA));
                assertEquals(0x45, frame[IP]);
                assertEquals(0, frame[TOS] & 0x1F, "no ECN, nothing but the priority");
                assertEquals(64, frame[IP + 8], "time to live");
                assertEquals(frame.length - IP, get16(frame, IP + 2));
            }
        }
    }

    @Test
    @Item({3, 4, 5})
    void everyHeaderHasItsFixedBytesAndARightChecksum() {
        try (NetworkFixture f = new NetworkFixture()) {
            for (byte[] frame : everything(f)) {
                assertEquals(0, frame[HOMA + 8] | frame[HOMA + 9] | frame[HOMA + 10]);
                assertEquals(isData(frame) ? 0xE0 : 0x50, frame[HOMA + 12] & 0xFF);
                assertEquals(0x06, frame[HOMA + 13]);
                assertEquals(0, get16(frame, HOMA + 14));
                assertEquals(0xB97D, get16(frame, HOMA + 18));
                assertEquals(0, tcpChecksum(frame), "sum over a packet that holds its checksum");
            }
        }
    }

    /// As TCP defines it, the pseudo-header's protocol included.
    private static int tcpChecksum(byte[] frame) {
        try (Scratch scratch = Scratch.of(Arrays.copyOfRange(frame, HOMA, frame.length))) {
            return Checksum.homa(scratch.address(), frame.length - HOMA, NetworkFixture.OWN_IP, NetworkFixture.PEER_IP);
        }
    }

    @Test
    @Item(15)
    void everyControlPacketLeavesAtTheHighestLevel() {
        try (NetworkFixture f = new NetworkFixture()) {
            for (byte[] frame : everything(f)) {
                if (!isData(frame)) {
                    assertEquals(7 << 5, frame[TOS] & 0xFF);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    @Item(14)
    void priorityIsInTheUpperBitsOfTos(int priority) {
        try (NetworkFixture f = new NetworkFixture()) {
            int[] cutoffs = new int[8];
            cutoffs[priority] = 1_000_000;
            String table = Arrays.toString(cutoffs).replaceAll("[\\[\\] ]", "");
            f.withNeighbour().receive(f.homaFrame("CUTOFFS 77 v3 " + table));
            f.request(NetworkFixture.PEER_IP, 100);
            assertEquals(priority << 5, f.sent().getFirst()[TOS] & 0xFF);
        }
    }

    @Test
    @Item(76)
    void grantOfTheWorkedExampleHasTosE0() {
        try (NetworkFixture f = new NetworkFixture()) {
            f.withNeighbour().receive(f.homaFrame("DATA 100 0+1424/500000 in=40000"));
            byte[] grant = f.sent().getFirst();
            assertEquals(PacketType.GRANT, grant[TYPE]);
            assertEquals(0xE0, grant[TOS] & 0xFF);
            assertEquals(201_424, get16(grant, HOMA + 28) << 16 | get16(grant, HOMA + 30));
            assertEquals(0, grant[HOMA + 32]);
        }
    }

    @Test
    @Item(6)
    void bytesThatMeanNothingMayHoldAnything() {
        try (NetworkFixture f = new NetworkFixture()) {
            byte[] frame = f.homaFrame("DATA 100 0+10/10 in=10");
            int[] meaningless = {8, 9, 10, 12, 13, 14, 15, 16, 17, 18, 19, 49, 50, 51};
            for (int at : meaningless) {
                frame[HOMA + at] ^= (byte) 0xA5;
            }
            f.receive(frame);
            byte[] zeros = f.homaFrame("DATA 102 0+11/11 in=11");
            Arrays.fill(zeros, HOMA + 12, HOMA + 20, (byte) 0);
            f.receive(zeros);
            assertEquals(List.of("request 10", "request 11"), f.events);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0x00, 0x0F, 0x19, 0x7F, 0xFF})
    @Item(7)
    void unknownTypesGetNoReply(int type) {
        try (NetworkFixture f = new NetworkFixture()) {
            byte[] frame = f.homaFrame("DATA 100 0+10/10 in=10");
            frame[TYPE] = (byte) type;
            f.withNeighbour().receive(frame);
            assertEquals(List.of(), f.sent());
            assertEquals(List.of(), f.events);
            assertEquals(0, f.engine.rpcCount());
        }
    }

    @Test
    @Item(7)
    void packetsTooShortForAnyHeaderGetNoReply() {
        try (NetworkFixture f = new NetworkFixture()) {
            f.withNeighbour();
            for (int length = 0; length < HomaHeader.LENGTH; length++) {
                f.receive(cut(f.homaFrame("NEED_ACK 701"), length));
            }
            assertEquals(List.of(), f.sent());
        }
    }

    /// Returns the frame with its packet cut to `length` bytes, padded as Ethernet would.
    private static byte[] cut(byte[] frame, int length) {
        byte[] shorter = Arrays.copyOf(frame, Math.max(HOMA + length, 60));
        try (Scratch scratch = Scratch.of(shorter)) {
            long ip = scratch.address() + IP;
            Ipv4.write(ip, 0, 20 + length, 146, NetworkFixture.PEER_IP, NetworkFixture.OWN_IP);
            scratch.copyTo(shorter);
        }
        return shorter;
    }

    @Test
    @Item(8)
    void packetsOneByteShortOfTheirTypeChangeNothing() {
        try (NetworkFixture f = new NetworkFixture()) {
            f.withNeighbour().receive(f.homaFrame("DATA 102 0+10/10 in=10"));
            f.respond(10);
            f.request(NetworkFixture.PEER_IP, 50_000);
            f.sent();
            String own = Long.toUnsignedString(f.lastRequestId() + 1);
            f.receive(cut(f.homaFrame("DATA 100 0+0/10 in=10"), 55));
            f.receive(cut(f.homaFrame("GRANT " + own + " 50000@0"), 32));
            f.receive(cut(f.homaFrame("RESEND " + own + " all@7"), 36));
            f.receive(cut(f.homaFrame("CUTOFFS " + own + " v9 0,0,0,0,0,0,0,0"), 61));
            f.receive(cut(f.homaFrame("ACK 102 []"), 79));
            assertEquals(List.of(), f.sent());
            assertEquals(2, f.engine.rpcCount());
            f.request(NetworkFixture.PEER_IP, 10);
            assertEquals(0, get16(f.sent().getFirst(), HOMA + 46), "no table was taken over");
        }
    }

    @Test
    @Item(9)
    void trailingBytesOfControlPacketsAreIgnored() {
        try (NetworkFixture f = new NetworkFixture()) {
            f.withNeighbour().receive(f.homaFrame("DATA 102 0+10/10 in=10"));
            f.respond(10);
            f.request(NetworkFixture.PEER_IP, 50_000);
            f.sent();
            String own = Long.toUnsignedString(f.lastRequestId() + 1);
            f.receive(cut(f.homaFrame("GRANT " + own + " 50000@0"), 34));
            assertEquals(8, f.sent().size());
            f.receive(cut(f.homaFrame("ACK 102 []"), 90));
            assertEquals(1, f.engine.rpcCount());
        }
    }

    @Test
    @Item(13)
    void freezeIsDroppedWhateverItNames() {
        try (NetworkFixture f = new NetworkFixture()) {
            f.withNeighbour().receive(f.homaFrame("DATA 100 0+10/10 in=10"));
            f.receive(f.homaFrame("FREEZE 0 0>0"));
            f.receive(f.homaFrame("FREEZE 100"));
            assertEquals(List.of(), f.sent());
            assertEquals(List.of("request 10"), f.events);
            assertEquals(1, f.engine.rpcCount());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {576, 1500, 9000})
    @Item(20)
    void packetsFillTheMtuAndMustNotBeFragmented(int mtu) {
        EngineConfig config = EngineConfig.DEFAULT.withMtu(mtu);
        try (NetworkFixture f = new NetworkFixture(config, HeaderOptions.DEFAULT)) {
            f.withNeighbour().request(NetworkFixture.PEER_IP, 30_000);
            List<byte[]> frames = f.sent();
            assertEquals(mtu, get16(frames.getFirst(), IP + 2));
            for (byte[] frame : frames) {
                assertEquals(0x4000, get16(frame, IP + 6));
                assertTrue(frame.length <= IP + mtu);
            }
        }
    }

    @Test
    @Item(16)
    void packetsInTcpAreTakenIfTheyBearTheMarksAndThatIsOn() {
        for (boolean isOn : new boolean[] {true, false}) {
            HeaderOptions headers = new HeaderOptions(true, false, isOn);
            try (NetworkFixture f = new NetworkFixture(EngineConfig.DEFAULT, headers)) {
                byte[] good = inTcp(f.homaFrame("DATA 100 0+10/10 in=10"));
                byte[] connect = good.clone();
                connect[HOMA + 13] = 0x02;
                byte[] otherUrgent = good.clone();
                otherUrgent[HOMA + 19] ^= 1;
                f.withNeighbour().receive(connect);
                f.receive(otherUrgent);
                f.receive(cut(good, 19));
                assertEquals(List.of(), f.events);
                f.receive(good);
                assertEquals(isOn ? List.of("request 10") : List.of(), f.events);
                assertEquals(List.of(), f.sent());
                // Homa's own protocol number is understood besides.
                f.receive(f.homaFrame("DATA 102 0+10/10 in=10"));
                assertEquals(isOn ? 2 : 1, f.events.size());
            }
        }
    }

    private static byte[] inTcp(byte[] frame) {
        byte[] changed = frame.clone();
        try (Scratch scratch = Scratch.of(changed)) {
            Ipv4.write(scratch.address() + IP, 0, frame.length - IP, 6, NetworkFixture.PEER_IP, NetworkFixture.OWN_IP);
            scratch.copyTo(changed);
        }
        return changed;
    }

    @Test
    @Item(17)
    void packetsLeaveAsTcpIfThatIsOn() {
        try (NetworkFixture f = new NetworkFixture(EngineConfig.DEFAULT, HeaderOptions.HIJACKING)) {
            for (byte[] frame : everything(f)) {
                assertEquals(6, frame[PROTOCOL]);
                assertEquals(isData(frame) ? 0xE0 : 0x50, frame[HOMA + 12] & 0xFF);
                assertEquals(0x06, frame[HOMA + 13]);
                assertEquals(0xB97D, get16(frame, HOMA + 18));
                assertEquals(0, tcpChecksum(frame));
            }
        }
    }

    @Test
    @Item(
            value = 123,
            deviates = "the format of 6.1.38 is not offered, as the item allows; packets of its IP protocol 253 are"
                    + " dropped unread")
    void packetsOfTheOldestFormatAreIgnored() {
        try (NetworkFixture f = new NetworkFixture()) {
            byte[] frame = f.homaFrame("DATA 100 0+10/10 in=10");
            try (Scratch scratch = Scratch.of(frame)) {
                Ipv4.write(
                        scratch.address() + IP,
                        0,
                        frame.length - IP,
                        253,
                        NetworkFixture.PEER_IP,
                        NetworkFixture.OWN_IP);
                scratch.copyTo(frame);
            }
            f.withNeighbour().receive(frame);
            assertEquals(List.of(), f.sent());
            assertEquals(List.of(), f.events);
            assertEquals(1, f.count(NetCounter.DROPPED_OTHER_PROTOCOL));
        }
    }
}
