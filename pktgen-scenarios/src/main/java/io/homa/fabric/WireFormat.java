package io.homa.fabric;

import io.homa.memory.HotPath;
import io.homa.memory.Packet;
import io.homa.wire.DataHeader;
import io.homa.wire.HomaHeader;
import io.homa.wire.PacketType;

/// How messages are cut into packets, and how long a packet keeps a link busy: with Homa, IP and Ethernet headers,
/// check sequence, preamble and gap.
///
/// @param unscheduledBytes bytes of a message that need no grant
/// @param unscheduledPayload most message bytes in a packet that needs none
/// @param scheduledPayload most message bytes in one that does
/// @param unscheduledOverhead bytes beside the payload
/// @param scheduledOverhead bytes beside the payload
/// @param controlBytes bytes of every control packet; 0 means its real length
public record WireFormat(
        int unscheduledBytes,
        int unscheduledPayload,
        int scheduledPayload,
        int unscheduledOverhead,
        int scheduledOverhead,
        int controlBytes) {
    /// Ethernet header and check sequence 18, preamble 8, gap 12.
    private static final int ETHERNET_BYTES = 38;

    private static final int IPV4_BYTES = 20;
    private static final int SHORTEST_FRAME = 84;

    /// The packets of the SIGCOMM 2018 simulations, which have UDP below shorter Homa headers.
    public static final WireFormat SIGCOMM18 = new WireFormat(9_328, 1_442, 1_456, 96, 82, 84);

    /// Returns our packets over IPv4.
    public static WireFormat real(int mtu, int unscheduledBytes) {
        int payload = mtu - IPV4_BYTES - DataHeader.LENGTH;
        int overhead = DataHeader.LENGTH + IPV4_BYTES + ETHERNET_BYTES;
        return new WireFormat(unscheduledBytes, payload, payload, overhead, overhead, 0);
    }

    /// Returns the payload of the segment at `offset` of a message.
    @HotPath
    public int segmentLength(int offset, int messageLength) {
        return offset < unscheduledBytes
                ? Math.min(unscheduledPayload, Math.min(unscheduledBytes, messageLength) - offset)
                : Math.min(scheduledPayload, messageLength - offset);
    }

    /// Returns the bytes that a packet with a Homa header takes on a link.
    @HotPath
    int wireBytes(long packet) {
        long header = Packet.data(packet);
        int length = Packet.length(packet);
        if (HomaHeader.type(header) != PacketType.DATA) {
            return controlBytes != 0 ? controlBytes : Math.max(SHORTEST_FRAME, length + IPV4_BYTES + ETHERNET_BYTES);
        }
        return dataWireBytes(DataHeader.offset(header), length - DataHeader.LENGTH);
    }

    /// Returns the bytes that a DATA packet with this message offset and payload takes on a link.
    @HotPath
    public int dataWireBytes(long offset, int payload) {
        int overhead = offset < unscheduledBytes ? unscheduledOverhead : scheduledOverhead;
        return Math.max(SHORTEST_FRAME, payload + overhead);
    }

    /// Returns the bytes that the packets of a message take on a link, without grants.
    public long messageWireBytes(int length) {
        long bytes = 0;
        int offset = 0;
        while (offset < length) {
            int payload = segmentLength(offset, length);
            bytes += dataWireBytes(offset, payload);
            offset += payload;
        }
        return bytes;
    }
}
