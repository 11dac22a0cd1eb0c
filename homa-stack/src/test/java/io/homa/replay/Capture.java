package io.homa.replay;

import io.homa.testing.PcapFile;
import io.homa.wire.DataHeader;
import io.homa.wire.HomaHeader;
import io.homa.wire.PacketText;
import io.homa.wire.PacketType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// What a client and a server said to each other, in order. Payload that was not captured is filled in, always the
/// same for the same place of a message.
record Capture(String name, boolean isIpv6, List<Frame> frames) {
    private static final int ETHERNET = 14;
    private static final int IPV4_HEADER = 20;
    private static final int IPV6_HEADER = 40;
    private static final int ICMP_HEADER = 8;
    private static final int HOMA = 146;

    /// One packet on its way; `isError` means that it is ICMP port unreachable, and the packet is what that quotes.
    record Frame(long timeNs, boolean isFromClient, HomaPacket packet, boolean isError) {}

    static Capture read(Path file) throws IOException {
        List<Frame> frames = new ArrayList<>();
        boolean isIpv6 = false;
        long startUs = Long.MIN_VALUE;
        for (PcapFile captured : PcapFile.read(file)) {
            startUs = startUs == Long.MIN_VALUE ? captured.timeUs() : startUs;
            long timeNs = (captured.timeUs() - startUs) * 1_000;
            byte[] frame = captured.bytes();
            isIpv6 = frame[12] == (byte) 0x86;
            ByteBuffer fields = ByteBuffer.wrap(frame);
            if (isIpv6) {
                int length = fields.getShort(ETHERNET + 4);
                int priority = fields.getShort(ETHERNET) >>> 9 & 7;
                frames.add(frame(timeNs, frame, ETHERNET + IPV6_HEADER, length, priority));
            } else if ((frame[ETHERNET + 9] & 0xFF) == HOMA) {
                int length = fields.getShort(ETHERNET + 2) - IPV4_HEADER;
                int priority = frame[ETHERNET + 1] >>> 5 & 7;
                frames.add(frame(timeNs, frame, ETHERNET + IPV4_HEADER, length, priority));
            } else {
                int quote = ETHERNET + IPV4_HEADER + ICMP_HEADER + IPV4_HEADER;
                Frame quoted = frame(timeNs, frame, quote, HomaHeader.LENGTH, 0);
                frames.add(new Frame(timeNs, !quoted.isFromClient(), quoted.packet(), true));
            }
        }
        String name = file.getFileName().toString().replace(".pcap", "");
        return new Capture(name, isIpv6, List.copyOf(frames));
    }

    private static Frame frame(long timeNs, byte[] frame, int from, int length, int priority) {
        byte[] bytes = Arrays.copyOfRange(frame, from, from + length);
        int captured = Math.min(frame.length - from, length);
        HomaPacket packet = new HomaPacket(bytes, priority);
        if (packet.isData()) {
            for (int i = captured; i < length; i++) {
                bytes[i] = (byte) PacketText.payloadByte(packet.offset() + i - DataHeader.LENGTH);
            }
        }
        return new Frame(timeNs, packet.isFromClient(), packet, false);
    }

    /// Returns the client ids of the RPCs whose request or response is in the capture.
    Set<Long> conversations() {
        Set<Long> ids = new TreeSet<>();
        for (Frame frame : frames) {
            if (frame.packet().isData()) {
                ids.add(frame.packet().rpc());
            }
        }
        return ids;
    }

    /// Returns the packets that one side sent.
    List<Frame> sentBy(boolean client) {
        return frames.stream()
                .filter(f -> f.isFromClient() == client && !f.isError())
                .toList();
    }

    /// Returns one of the messages of an RPC, put together from whatever packets bring it.
    byte[] message(long rpc, boolean request) {
        byte[] message = new byte[0];
        for (Frame frame : frames) {
            HomaPacket packet = frame.packet();
            if (packet.isData() && packet.rpc() == rpc && frame.isFromClient() == request) {
                if (message.length == 0) {
                    message = new byte[packet.messageLength()];
                    for (int i = 0; i < message.length; i++) {
                        message[i] = (byte) PacketText.payloadByte(i);
                    }
                }
                System.arraycopy(packet.payload(), 0, message, packet.offset(), packet.dataLength());
            }
        }
        return message;
    }

    /// Says whether a port was closed that a packet went to.
    boolean isRefused() {
        return frames.stream().anyMatch(Frame::isError);
    }

    long endNs() {
        return frames.getLast().timeNs();
    }

    /// Says whether the acknowledgement of an RPC was sent within the capture, so that it is there to its end.
    boolean isAcknowledged(long rpc) {
        return frames.stream()
                .anyMatch(f -> f.isFromClient()
                        && (f.packet().isData() || f.packet().is(PacketType.ACK))
                        && f.packet().acked().contains(rpc));
    }
}
