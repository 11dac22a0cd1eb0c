package io.homa.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.memory.Memory;
import io.homa.testing.PcapFile;
import io.homa.testing.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every Homa packet that two Linux hosts exchanged is accepted, understood, and written again byte for byte.
class KernelCaptureTest {
    private static final Path CAPTURES = Path.of("src/test/resources/captures");
    private static final int ICMP_FRAMES = 1;

    static Stream<Path> captures() throws IOException {
        try (Stream<Path> files = Files.list(CAPTURES)) {
            return files.filter(f -> f.toString().endsWith(".pcap")).sorted().toList().stream();
        }
    }

    /// Where the Homa packet lies in a frame, cut to what was captured.
    private record HomaPacket(byte[] kept, int length, boolean isIpv6, int priority, byte[] frame) {}

    private static HomaPacket packet(PcapFile frame) {
        byte[] bytes = frame.bytes();
        try (Scratch scratch = Scratch.of(bytes)) {
            long ip = scratch.address() + Ethernet.LENGTH;
            boolean isIpv6 = Ethernet.type(scratch.address()) == Ethernet.TYPE_IPV6;
            int start;
            int length;
            int priority;
            if (isIpv6) {
                assertTrue(Ipv6.isValid(ip, frame.originalLength() - Ethernet.LENGTH));
                start = Ethernet.LENGTH + Ipv6.LENGTH;
                length = Ipv6.payloadLength(ip);
                priority = Ipv6.trafficClass(ip) >>> 5;
                assertEquals(Ipv4.PROTOCOL_HOMA, Ipv6.nextHeader(ip));
            } else {
                assertTrue(Ipv4.isValid(ip, frame.originalLength() - Ethernet.LENGTH));
                assertTrue(Ipv4.hasRightChecksum(ip));
                if (Ipv4.protocol(ip) != Ipv4.PROTOCOL_HOMA) {
                    return null;
                }
                start = Ethernet.LENGTH + Ipv4.headerLength(ip);
                length = Ipv4.totalLength(ip) - Ipv4.headerLength(ip);
                priority = Ipv4.tos(ip) >>> 5;
            }
            byte[] kept = Arrays.copyOfRange(bytes, start, Math.min(bytes.length, start + length));
            return new HomaPacket(kept, length, isIpv6, priority, bytes);
        }
    }

    @Test
    void thereAreAsManyPacketsAsTheCapturesHold() throws IOException {
        int[] counts = new int[PacketType.ACK + 1];
        int others = 0;
        for (Path file : captures().toList()) {
            for (PcapFile frame : PcapFile.read(file)) {
                HomaPacket packet = packet(frame);
                if (packet == null) {
                    others++;
                } else {
                    counts[packet.kept()[HomaHeader.TYPE_OFFSET] & 0xFF]++;
                }
            }
        }
        assertEquals(ICMP_FRAMES, others);
        // tcpdump counts the same 9,666 packets with "ip proto 146 or ip6 proto 146"; the types are byte 11 as tshark
        // prints it.
        assertEquals(
                "[7164, 559, 154, 1, 23, 21, 1, 983, 760]",
                Arrays.toString(Arrays.copyOfRange(counts, PacketType.DATA, PacketType.ACK + 1)));
    }

    @ParameterizedTest
    @MethodSource("captures")
    void everyPacketIsAcceptedAndWrittenAgain(Path file) throws IOException {
        for (PcapFile frame : PcapFile.read(file)) {
            HomaPacket packet = packet(frame);
            if (packet == null) {
                continue;
            }
            try (Scratch theirs = Scratch.of(packet.kept());
                    Scratch ours = new Scratch(packet.kept().length)) {
                assertTrue(PacketType.isValid(theirs.address(), packet.length()));
                encodeAgain(theirs.address(), ours.address(), packet.kept().length);
                byte[] written = new byte[packet.kept().length];
                Memory.copyTo(ours.address(), written, 0, written.length);
                assertArrayEquals(packet.kept(), written, PacketText.format(theirs.address(), packet.length()));
                checkData(file, packet, theirs.address());
                checkChecksum(file, frame, packet, theirs.address());
            }
        }
    }

    /// Writes a packet anew from what the accessors read. The kernel leaves the explicit offset out of first
    /// transmissions, and its segmentation offload marks packets by another data offset; both are set as they
    /// were.
    private static void encodeAgain(long theirs, long ours, int kept) {
        int type = HomaHeader.type(theirs);
        int source = HomaHeader.sourcePort(theirs);
        int destination = HomaHeader.destinationPort(theirs);
        if (type == PacketType.DATA) {
            DataHeader.write(
                    ours,
                    source,
                    destination,
                    HomaHeader.senderId(theirs),
                    (int) DataHeader.messageLength(theirs),
                    (int) DataHeader.incoming(theirs),
                    (int) DataHeader.offset(theirs),
                    DataHeader.isRetransmission(theirs),
                    DataHeader.cutoffVersion(theirs));
            DataHeader.ack(ours, DataHeader.ackClientId(theirs), DataHeader.ackServerPort(theirs));
            DataHeader.segmentOffset(ours, (int) DataHeader.segmentOffset(theirs));
            HomaHeader.sequence(ours, HomaHeader.sequence(theirs));
            HomaHeader.dataOffset(ours, HomaHeader.dataOffset(theirs));
            Memory.copy(theirs + DataHeader.LENGTH, ours + DataHeader.LENGTH, kept - DataHeader.LENGTH);
        } else {
            HomaHeader.write(ours, type, source, destination, HomaHeader.senderId(theirs));
            encodeControl(type, theirs, ours, kept);
        }
        HomaHeader.checksum(ours, HomaHeader.checksum(theirs));
    }

    private static void encodeControl(int type, long theirs, long ours, int kept) {
        switch (type) {
            case PacketType.GRANT -> {
                // Ours have 34 bytes; the kernel's 33 end with the priority.
                assertEquals(GrantHeader.LENGTH, kept);
                try (Scratch longer = new Scratch(GrantHeader.WRITE_LENGTH)) {
                    GrantHeader.write(longer.address(), (int) GrantHeader.offset(theirs), GrantHeader.priority(theirs));
                    Memory.copy(longer.address() + 28, ours + 28, 5);
                }
            }
            case PacketType.RESEND ->
                ResendHeader.write(
                        ours,
                        (int) ResendHeader.offset(theirs),
                        ResendHeader.length(theirs),
                        ResendHeader.priority(theirs));
            case PacketType.CUTOFFS -> {
                for (int i = 0; i < 8; i++) {
                    CutoffsHeader.cutoff(ours, i, (int) CutoffsHeader.cutoff(theirs, i));
                }
                CutoffsHeader.cutoffVersion(ours, CutoffsHeader.cutoffVersion(theirs));
            }
            case PacketType.ACK -> {
                AckHeader.count(ours, AckHeader.count(theirs));
                for (int i = 0; i < AckHeader.CAPACITY; i++) {
                    AckHeader.ack(ours, i, AckHeader.clientId(theirs, i), AckHeader.serverPort(theirs, i));
                }
            }
            default -> assertEquals(HomaHeader.LENGTH, kept);
        }
    }

    private static void checkData(Path file, HomaPacket packet, long header) {
        if (HomaHeader.type(header) != PacketType.DATA) {
            assertEquals(7, packet.priority());
            return;
        }
        assertTrue(DataHeader.isValid(header, packet.length()));
        boolean describesItself = file.getFileName().toString().startsWith("kernel-homa-")
                && HomaHeader.sourcePort(header) != 4001
                && HomaHeader.destinationPort(header) != 4001
                && HomaHeader.sourcePort(header) != 4002;
        if (describesItself) {
            int offset = (int) DataHeader.offset(header);
            for (int i = DataHeader.LENGTH; i < packet.kept().length; i++) {
                assertEquals(
                        PacketText.payloadByte(offset + i - DataHeader.LENGTH),
                        packet.kept()[i] & 0xFF,
                        () -> PacketText.format(header, packet.length()));
            }
        }
    }

    /// Segmentation offload leaves checksums that do not hold per packet; everything else must verify.
    private static void checkChecksum(Path file, PcapFile frame, HomaPacket packet, long header) {
        if (!frame.isWhole() || packet.isIpv6() || HomaHeader.dataOffset(header) == 0xD0) {
            return;
        }
        try (Scratch scratch = Scratch.of(packet.frame())) {
            long ip = scratch.address() + Ethernet.LENGTH;
            int sum = Checksum.homa(header, packet.length(), Ipv4.source(ip), Ipv4.destination(ip));
            assertEquals(0, sum, () -> file + ": " + PacketText.format(header, packet.length()));
        }
    }

    @Test
    void capturesAreAllThere() throws IOException {
        List<Path> files = captures().toList();
        assertEquals(53, files.size());
    }
}
