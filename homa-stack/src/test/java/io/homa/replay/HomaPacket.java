package io.homa.replay;

import io.homa.wire.AckHeader;
import io.homa.wire.CutoffsHeader;
import io.homa.wire.DataHeader;
import io.homa.wire.GrantHeader;
import io.homa.wire.HomaHeader;
import io.homa.wire.PacketType;
import io.homa.wire.ResendHeader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A Homa packet as bytes, read without the codecs under test, and the level that it was sent with.
record HomaPacket(byte[] bytes, int priority) {
    private int int32(int at) {
        return ByteBuffer.wrap(bytes).getInt(at);
    }

    private int int16(int at) {
        return ByteBuffer.wrap(bytes).getShort(at) & 0xFFFF;
    }

    private long int64(int at) {
        return ByteBuffer.wrap(bytes).getLong(at);
    }

    int type() {
        return bytes[HomaHeader.TYPE_OFFSET];
    }

    boolean is(int packetType) {
        return type() == packetType;
    }

    boolean isData() {
        return is(PacketType.DATA);
    }

    int sourcePort() {
        return int16(HomaHeader.SOURCE_PORT_OFFSET);
    }

    int destinationPort() {
        return int16(HomaHeader.DESTINATION_PORT_OFFSET);
    }

    long senderId() {
        return int64(HomaHeader.SENDER_ID_OFFSET);
    }

    /// Returns the RPC's id as its client knows it.
    long rpc() {
        return senderId() & ~1L;
    }

    boolean isFromClient() {
        return (senderId() & 1) == 0;
    }

    HomaPacket withSenderId(long id) {
        byte[] copy = bytes.clone();
        ByteBuffer.wrap(copy).putLong(HomaHeader.SENDER_ID_OFFSET, id);
        return new HomaPacket(copy, priority);
    }

    /// Returns the CUTOFFS that the receiver of this packet could answer.
    HomaPacket answeredByCutoffs(int version, int[] table) {
        ByteBuffer answer = ByteBuffer.allocate(CutoffsHeader.LENGTH).put(bytes, 0, HomaHeader.LENGTH);
        answer.putShort(HomaHeader.SOURCE_PORT_OFFSET, (short) destinationPort());
        answer.putShort(HomaHeader.DESTINATION_PORT_OFFSET, (short) sourcePort());
        answer.put(HomaHeader.TYPE_OFFSET, (byte) PacketType.CUTOFFS);
        answer.putLong(HomaHeader.SENDER_ID_OFFSET, senderId() ^ 1);
        for (int cutoff : table) {
            answer.putInt(cutoff);
        }
        return new HomaPacket(answer.putShort((short) version).array(), 7);
    }

    int offset() {
        int explicit = int32(DataHeader.SEGMENT_OFFSET_OFFSET);
        return explicit != -1 ? explicit : int32(HomaHeader.SEQUENCE_OFFSET);
    }

    int dataLength() {
        return bytes.length - DataHeader.LENGTH;
    }

    byte[] payload() {
        return Arrays.copyOfRange(bytes, DataHeader.LENGTH, bytes.length);
    }

    int messageLength() {
        return int32(DataHeader.MESSAGE_LENGTH_OFFSET);
    }

    int incoming() {
        return int32(DataHeader.INCOMING_OFFSET);
    }

    int cutoffVersion() {
        return int16(is(PacketType.CUTOFFS) ? CutoffsHeader.VERSION_OFFSET : DataHeader.CUTOFF_VERSION_OFFSET);
    }

    boolean isRetransmission() {
        return bytes[DataHeader.RETRANSMIT_OFFSET] != 0;
    }

    int grantOffset() {
        return int32(GrantHeader.OFFSET_OFFSET);
    }

    int grantPriority() {
        return bytes[GrantHeader.PRIORITY_OFFSET];
    }

    int resendOffset() {
        return int32(ResendHeader.OFFSET_OFFSET);
    }

    int resendLength() {
        return int32(ResendHeader.LENGTH_OFFSET);
    }

    int[] cutoffs() {
        int[] table = new int[8];
        Arrays.setAll(table, i -> int32(CutoffsHeader.CUTOFFS_OFFSET + 4 * i));
        return table;
    }

    /// Returns the client ids of the RPCs that the packet acknowledges, in whatever way.
    List<Long> acked() {
        List<Long> ids = new ArrayList<>();
        if (isData() && int64(DataHeader.ACK_CLIENT_ID_OFFSET) != 0) {
            ids.add(int64(DataHeader.ACK_CLIENT_ID_OFFSET));
        } else if (is(PacketType.ACK)) {
            ids.add(senderId());
            for (int i = 0; i < int16(AckHeader.COUNT_OFFSET); i++) {
                ids.add(int64(AckHeader.ACKS_OFFSET + AckHeader.ACK_LENGTH * i));
            }
        }
        return ids;
    }
}
