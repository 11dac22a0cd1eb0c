package io.homa.memory;

/// Fields of a packet, which is a `long`: the address of its mbuf, or of a slot of an [ArenaPacketPool] with the
/// same prefix.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 8 | address of the buffer |
/// | 16 | 2 | data offset: where the frame starts in the buffer |
/// | 18 | 2 | reference count |
/// | 20 | 2 | number of segments |
/// | 24 | 8 | offload flags |
/// | 36 | 4 | packet length (all segments) |
/// | 40 | 2 | data length (this segment) |
/// | 42 | 2 | VLAN tag, when stripped by the device |
/// | 54 | 2 | buffer length |
/// | 64 | 8 | next segment |
/// | 128 | 64 | private area, below |
///
/// Offsets 0…127 are `struct rte_mbuf` of DPDK 22.11 to 25.11 (checked against the C compiler when the bindings
/// load).
/// The private area lies
/// between the mbuf and its buffer and belongs to whoever holds the packet:
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 128 | 8 | link: next packet of the same message |
/// | 136 | 4 | message offset of the first payload byte |
/// | 140 | 4 | payload length in bytes |
/// | 144 | 4 | payload start, from the start of the buffer |
/// | 148 | 4 | peer index |
/// | 152 | 4 | priority, 0…7 |
/// | 156 | 4 | flags of the holder |
/// | 160 | 8 | time stamp of the holder, in nanoseconds |
///
/// Stateless; a packet belongs to one thread at a time.
@HotPath
public final class Packet {
    public static final int BUFFER_ADDRESS_OFFSET = 0;
    public static final int DATA_OFFSET_OFFSET = 16;
    public static final int REFERENCES_OFFSET = 18;
    public static final int SEGMENT_COUNT_OFFSET = 20;
    public static final int OFFLOAD_FLAGS_OFFSET = 24;
    public static final int PACKET_LENGTH_OFFSET = 36;
    public static final int DATA_LENGTH_OFFSET = 40;
    public static final int VLAN_TCI_OFFSET = 42;
    public static final int BUFFER_LENGTH_OFFSET = 54;
    public static final int NEXT_SEGMENT_OFFSET = 64;

    /// Size of the mbuf, and start of the private area.
    public static final int MBUF_LENGTH = 128;

    /// Size of the private area: one cache line.
    public static final int PRIVATE_LENGTH = 64;

    /// Bytes in front of a frame in a fresh packet. Room for Ethernet (14), one VLAN tag (4), IPv6 (40) and Homa
    /// DATA (56), plus what a device keeps in front of the frame (virtio: 12); equals `RTE_PKTMBUF_HEADROOM`.
    public static final int HEADROOM = 128;

    private static final int LINK_OFFSET = MBUF_LENGTH;
    private static final int MESSAGE_OFFSET_OFFSET = MBUF_LENGTH + 8;
    private static final int PAYLOAD_LENGTH_OFFSET = MBUF_LENGTH + 12;
    private static final int PAYLOAD_START_OFFSET = MBUF_LENGTH + 16;
    private static final int PEER_OFFSET = MBUF_LENGTH + 20;
    private static final int PRIORITY_OFFSET = MBUF_LENGTH + 24;
    private static final int FLAGS_OFFSET = MBUF_LENGTH + 28;
    private static final int TIME_STAMP_OFFSET = MBUF_LENGTH + 32;

    private Packet() {}

    /// Returns the address of the buffer's first byte.
    public static long buffer(long packet) {
        return Memory.getLongNative(packet + BUFFER_ADDRESS_OFFSET);
    }

    /// Returns the address of the frame's first byte.
    public static long data(long packet) {
        return buffer(packet) + dataOffset(packet);
    }

    public static int dataOffset(long packet) {
        return Memory.getShortNative(packet + DATA_OFFSET_OFFSET);
    }

    /// Returns the frame's length in bytes (of the first segment; the stack uses single-segment packets).
    public static int length(long packet) {
        return Memory.getShortNative(packet + DATA_LENGTH_OFFSET);
    }

    /// Sets where the frame starts, counted from the start of the buffer, and its length.
    public static void frame(long packet, int dataOffset, int length) {
        Memory.putShortNative(packet + DATA_OFFSET_OFFSET, dataOffset);
        length(packet, length);
    }

    /// Sets the frame's length in bytes.
    public static void length(long packet, int length) {
        Memory.putShortNative(packet + DATA_LENGTH_OFFSET, length);
        Memory.putIntNative(packet + PACKET_LENGTH_OFFSET, length);
    }

    /// Moves the start of the frame `length` bytes to the front and returns its new address. The room must be
    /// there.
    public static long prepend(long packet, int length) {
        frame(packet, dataOffset(packet) - length, length(packet) + length);
        return data(packet);
    }

    /// Drops the first `length` bytes of the frame and returns the address of the rest.
    public static long strip(long packet, int length) {
        frame(packet, dataOffset(packet) + length, length(packet) - length);
        return data(packet);
    }

    public static int bufferLength(long packet) {
        return Memory.getShortNative(packet + BUFFER_LENGTH_OFFSET);
    }

    public static int references(long packet) {
        return Memory.getShortNative(packet + REFERENCES_OFFSET);
    }

    public static void references(long packet, int count) {
        Memory.putShortNative(packet + REFERENCES_OFFSET, count);
    }

    public static int segmentCount(long packet) {
        return Memory.getShortNative(packet + SEGMENT_COUNT_OFFSET);
    }

    /// Returns the next packet of the same message, or 0.
    public static long link(long packet) {
        return Memory.getLongNative(packet + LINK_OFFSET);
    }

    public static void link(long packet, long next) {
        Memory.putLongNative(packet + LINK_OFFSET, next);
    }

    /// Returns the offset in the message of the packet's first payload byte.
    public static int messageOffset(long packet) {
        return Memory.getIntNative(packet + MESSAGE_OFFSET_OFFSET);
    }

    public static void messageOffset(long packet, int offset) {
        Memory.putIntNative(packet + MESSAGE_OFFSET_OFFSET, offset);
    }

    public static int payloadLength(long packet) {
        return Memory.getIntNative(packet + PAYLOAD_LENGTH_OFFSET);
    }

    /// Returns the address of the packet's first payload byte, which stays valid whatever headers are added or
    /// stripped.
    public static long payload(long packet) {
        return buffer(packet) + payloadStart(packet);
    }

    public static int payloadStart(long packet) {
        return Memory.getIntNative(packet + PAYLOAD_START_OFFSET);
    }

    /// Records where the payload lies: `start` bytes from the start of the buffer, `length` bytes long.
    public static void payload(long packet, int start, int length) {
        Memory.putIntNative(packet + PAYLOAD_START_OFFSET, start);
        Memory.putIntNative(packet + PAYLOAD_LENGTH_OFFSET, length);
    }

    /// Returns the index of the peer that the packet goes to.
    public static int peer(long packet) {
        return Memory.getIntNative(packet + PEER_OFFSET);
    }

    public static void peer(long packet, int peerIndex) {
        Memory.putIntNative(packet + PEER_OFFSET, peerIndex);
    }

    /// Returns the priority that the packet leaves with, 0…7.
    public static int priority(long packet) {
        return Memory.getIntNative(packet + PRIORITY_OFFSET);
    }

    public static void priority(long packet, int priority) {
        Memory.putIntNative(packet + PRIORITY_OFFSET, priority);
    }

    /// Returns the holder's flags; whoever takes a fresh packet sets them before reading them.
    public static int flags(long packet) {
        return Memory.getIntNative(packet + FLAGS_OFFSET);
    }

    public static void flags(long packet, int flags) {
        Memory.putIntNative(packet + FLAGS_OFFSET, flags);
    }

    /// Returns the holder's time stamp in nanoseconds; whoever takes a fresh packet sets it before reading it.
    public static long timeStampNs(long packet) {
        return Memory.getLongNative(packet + TIME_STAMP_OFFSET);
    }

    public static void timeStampNs(long packet, long timeNs) {
        Memory.putLongNative(packet + TIME_STAMP_OFFSET, timeNs);
    }
}
