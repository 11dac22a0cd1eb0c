package io.homa.wire;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;

/// DATA: a part of a message (protocol reference 2.4). All offsets count from the start of the Homa header.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 28 | common header |
/// | 28 | 4 | message length, 1…1,000,000 |
/// | 32 | 4 | incoming: the sender will send the bytes below this without a further grant |
/// | 36 | 8 | client id of an RPC whose response has arrived; 0 if none |
/// | 44 | 2 | server port of that RPC |
/// | 46 | 2 | version of the cutoffs last received from the destination; 0 before the first |
/// | 48 | 1 | 1 if sent again |
/// | 49 | 3 | unused, 0; with the bytes of [#SHORT_START] a client asks this stack's servers for a short start |
/// | 52 | 4 | message offset of the payload, or 0xFFFFFFFF: it is in the sequence field |
/// | 56 | n | payload; its length follows from that of the IP packet |
@HotPath
public final class DataHeader {
    public static final int LENGTH = 56;
    public static final int MESSAGE_LENGTH_OFFSET = 28;
    public static final int INCOMING_OFFSET = 32;
    public static final int ACK_CLIENT_ID_OFFSET = 36;
    public static final int ACK_SERVER_PORT_OFFSET = 44;
    public static final int CUTOFF_VERSION_OFFSET = 46;
    public static final int RETRANSMIT_OFFSET = 48;
    public static final int SEGMENT_OFFSET_OFFSET = 52;

    /// What bytes 49 to 51 hold in packets of a request whose response should not send more than a packet unasked: an
    /// extension of this stack in bytes that the kernel module neither reads nor sets. Other values mean nothing.
    public static final int SHORT_START = 0x49_43_41;

    private static final int PADDING_MASK = 0xFF_FFFF;

    /// Longest message that the format's users allow.
    public static final int MAX_MESSAGE_LENGTH = 1_000_000;

    /// Value of the explicit offset that refers to the sequence field.
    public static final long OFFSET_IN_SEQUENCE = 0xFFFF_FFFFL;

    private DataHeader() {}

    /// Says whether a DATA packet of `length` bytes, at least [#LENGTH], has a possible message length and lies
    /// within its message. Lengths and offsets of a valid packet fit into ints.
    public static boolean isValid(long header, int length) {
        return isValid(header, length, MAX_MESSAGE_LENGTH);
    }

    /// The same for users that allow messages of up to `maxMessageLength` bytes, at most 2³¹−1.
    public static boolean isValid(long header, int length, int maxMessageLength) {
        long messageLength = messageLength(header);
        return messageLength >= 1
                && messageLength <= maxMessageLength
                && offset(header) + (length - LENGTH) <= messageLength;
    }

    public static long messageLength(long header) {
        return Memory.getUnsignedInt(header + MESSAGE_LENGTH_OFFSET);
    }

    public static long incoming(long header) {
        return Memory.getUnsignedInt(header + INCOMING_OFFSET);
    }

    public static long ackClientId(long header) {
        return Memory.getLong(header + ACK_CLIENT_ID_OFFSET);
    }

    public static int ackServerPort(long header) {
        return Memory.getShort(header + ACK_SERVER_PORT_OFFSET);
    }

    /// Attaches the acknowledgement of another RPC.
    public static void ack(long header, long clientId, int serverPort) {
        Memory.putLong(header + ACK_CLIENT_ID_OFFSET, clientId);
        Memory.putShort(header + ACK_SERVER_PORT_OFFSET, serverPort);
    }

    public static int cutoffVersion(long header) {
        return Memory.getShort(header + CUTOFF_VERSION_OFFSET);
    }

    public static boolean isRetransmission(long header) {
        return Memory.getByte(header + RETRANSMIT_OFFSET) != 0;
    }

    /// Says whether the response to this request should start short, see [#SHORT_START].
    public static boolean wantsShortStart(long header) {
        return (Memory.getInt(header + RETRANSMIT_OFFSET) & PADDING_MASK) == SHORT_START;
    }

    /// Asks for a response that starts short.
    public static void askForShortStart(long header) {
        int flag = Memory.getInt(header + RETRANSMIT_OFFSET) & ~PADDING_MASK;
        Memory.putInt(header + RETRANSMIT_OFFSET, flag | SHORT_START);
    }

    /// Returns the raw explicit offset.
    public static long segmentOffset(long header) {
        return Memory.getUnsignedInt(header + SEGMENT_OFFSET_OFFSET);
    }

    public static void segmentOffset(long header, int value) {
        Memory.putInt(header + SEGMENT_OFFSET_OFFSET, value);
    }

    /// Returns the message offset of the payload, 0…2³²−1: the explicit one, or the sequence field if that is
    /// referred to.
    public static long offset(long header) {
        long explicit = segmentOffset(header);
        return explicit != OFFSET_IN_SEQUENCE ? explicit : Memory.getUnsignedInt(header + HomaHeader.SEQUENCE_OFFSET);
    }

    /// Writes all 56 bytes. The offset goes to both places, which every receiver understands; no acknowledgement
    /// is attached.
    public static void write(
            long header,
            int sourcePort,
            int destinationPort,
            long senderId,
            int messageLength,
            int incoming,
            int offset,
            boolean isRetransmission,
            int cutoffVersion) {
        HomaHeader.write(header, PacketType.DATA, sourcePort, destinationPort, senderId);
        Memory.putInt(header + HomaHeader.SEQUENCE_OFFSET, offset);
        Memory.putInt(header + MESSAGE_LENGTH_OFFSET, messageLength);
        Memory.putInt(header + INCOMING_OFFSET, incoming);
        Memory.putLong(header + ACK_CLIENT_ID_OFFSET, 0);
        Memory.putInt(header + ACK_SERVER_PORT_OFFSET, cutoffVersion);
        Memory.putInt(header + RETRANSMIT_OFFSET, isRetransmission ? 1 << 24 : 0);
        Memory.putInt(header + SEGMENT_OFFSET_OFFSET, offset);
    }
}
