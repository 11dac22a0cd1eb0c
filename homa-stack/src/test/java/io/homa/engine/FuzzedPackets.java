package io.homa.engine;

import io.homa.memory.Memory;
import io.homa.memory.Packet;
import io.homa.testing.FuzzInput;
import io.homa.testing.Scratch;
import io.homa.wire.AckHeader;
import io.homa.wire.CutoffsHeader;
import io.homa.wire.DataHeader;
import io.homa.wire.GrantHeader;
import io.homa.wire.HomaHeader;
import io.homa.wire.PacketType;
import io.homa.wire.ResendHeader;
import java.util.Arrays;

/// Packets for a [FuzzedEngine] out of a fuzzer's bytes. Each method fills [#bytes] and returns the length.
final class FuzzedPackets implements AutoCloseable {
    private static final int MAX_LENGTH = 1_480;
    private static final int SEGMENT = 1_424;
    private static final int HEADER_ROOM = 128;
    private static final int REMEMBERED = 16;
    private static final int[] MESSAGE_LENGTHS = {1, 100, 1_424, 1_425, 5_000, 40_001, 100_000, 1_000_000};

    private final byte[] bytes = new byte[MAX_LENGTH];
    private final Scratch scratch = new Scratch(HEADER_ROOM);
    private final long header = scratch.address();
    private final byte[][] sent = new byte[REMEMBERED][HEADER_ROOM];
    private final int[] sentLengths = new int[REMEMBERED];
    private final long firstOwnId;
    private int sentCount;
    private int requestCount;

    FuzzedPackets(long firstOwnId) {
        this.firstOwnId = firstOwnId;
    }

    byte[] bytes() {
        return bytes;
    }

    /// Notes that the engine took a request, and returns how many it had taken before.
    int requestSent() {
        return requestCount++;
    }

    /// Remembers the headers of a packet that the engine sent.
    void sent(long packet) {
        int at = sentCount++ & (REMEMBERED - 1);
        int length = Packet.length(packet);
        Memory.copyTo(Packet.data(packet), sent[at], 0, Math.min(length, HEADER_ROOM));
        sentLengths[at] = length;
    }

    /// Returns the id of one of the last requests of the engine.
    long ownId(FuzzInput in) {
        return firstOwnId + 2L * (requestCount - 1 - in.next(REMEMBERED));
    }

    /// The bytes as they are, with a filling behind; a flag asks for the id of a request of the engine.
    int garbage(FuzzInput in) {
        Arrays.fill(bytes, (byte) 0);
        int flags = in.nextByte();
        int given = in.next(HEADER_ROOM);
        in.copyTo(bytes, 0, given);
        int filling = (flags & 2) == 0 ? 0 : in.nextShort();
        if ((flags & 1) != 0) {
            putLong(HomaHeader.SENDER_ID_OFFSET, ownId(in) ^ 1);
        }
        return Math.min(MAX_LENGTH, given + filling);
    }

    /// A packet that the engine sent, as if it came from the other end: DATA of a request becomes the response.
    int echo(FuzzInput in) {
        if (sentCount == 0) {
            return garbage(in);
        }
        int at = sentCount - 1 - in.next(Math.min(sentCount, REMEMBERED)) & (REMEMBERED - 1);
        Arrays.fill(bytes, (byte) 0);
        System.arraycopy(sent[at], 0, bytes, 0, HEADER_ROOM);
        swapPorts();
        bytes[HomaHeader.SENDER_ID_OFFSET + 7] ^= 1;
        return mutated(in, sentLengths[at]);
    }

    private void swapPorts() {
        for (int i = 0; i < 2; i++) {
            byte port = bytes[i];
            bytes[i] = bytes[2 + i];
            bytes[2 + i] = port;
        }
    }

    /// A packet with fields that go together, most of the time.
    int plausible(FuzzInput in) {
        int type = PacketType.DATA + in.next(9);
        boolean isForServer = in.next(2) == 0;
        long id = isForServer ? 2L * (1 + in.next(REMEMBERED)) : ownId(in) ^ 1;
        int clientPort = FuzzedEngine.CLIENT_PORT + (in.next(8) == 0 ? 1 : 0);
        int source = isForServer ? clientPort : FuzzedEngine.SERVER_PORT;
        int destination = isForServer ? FuzzedEngine.SERVER_PORT : clientPort;
        Memory.fill(header, HEADER_ROOM, 0);
        HomaHeader.write(header, type, source, destination, id);
        int messageLength = MESSAGE_LENGTHS[(int) (id >>> 1 & 7)];
        int length = PacketType.minimumLength(type);
        switch (type) {
            case PacketType.DATA -> length += data(in, source, destination, id, messageLength);
            case PacketType.GRANT -> {
                GrantHeader.write(header, offset(in, messageLength), in.next(10));
                length += in.next(2);
                Memory.putByte(header + GrantHeader.RESEND_ALL_OFFSET, in.next(2));
            }
            case PacketType.RESEND -> {
                int start = offset(in, messageLength);
                int count = in.next(4) == 0 ? ResendHeader.EVERYTHING : offset(in, messageLength);
                ResendHeader.write(header, start, count, in.next(10));
            }
            case PacketType.CUTOFFS -> {
                for (int i = 0; i < 8; i++) {
                    CutoffsHeader.cutoff(header, i, offset(in, messageLength));
                }
                CutoffsHeader.cutoffVersion(header, in.nextShort());
            }
            case PacketType.ACK -> {
                AckHeader.count(header, in.next(8));
                for (int i = 0; i < AckHeader.CAPACITY; i++) {
                    AckHeader.ack(header, i, 2L * (1 + in.next(REMEMBERED)), FuzzedEngine.SERVER_PORT);
                }
            }
            default -> {}
        }
        Arrays.fill(bytes, (byte) 0);
        Memory.copyTo(header, bytes, 0, HEADER_ROOM);
        return mutated(in, length);
    }

    /// Writes the header of DATA and returns the length of the payload.
    private int data(FuzzInput in, int source, int destination, long id, int messageLength) {
        int offset = offset(in, messageLength);
        int segment = Math.clamp((long) messageLength - offset, 0, SEGMENT);
        int incoming = in.next(4) == 0 ? offset(in, messageLength) : Math.min(40_000, messageLength);
        boolean isRetransmission = in.next(4) == 0;
        DataHeader.write(
                header, source, destination, id, messageLength, incoming, offset, isRetransmission, in.next(4));
        if (in.next(4) == 0) {
            DataHeader.ack(header, 2L * (1 + in.next(REMEMBERED)), FuzzedEngine.SERVER_PORT);
        }
        return in.next(8) == 0 ? Math.min(segment, in.nextShort()) : segment;
    }

    /// Returns an offset that may matter in a message of `length` bytes.
    private static int offset(FuzzInput in, int length) {
        return switch (in.next(16)) {
            case 0 -> in.nextInt();
            case 1 -> in.nextShort();
            case 2 -> length - 1;
            case 3 -> length;
            case 4 -> Integer.MAX_VALUE;
            case 5 -> -1;
            case 6 -> in.next(8) * 500;
            case 7, 8, 9 -> (length - 1) / SEGMENT * SEGMENT;
            case 10, 11 -> in.next(30) * SEGMENT;
            default -> 0;
        };
    }

    /// Changes one byte of the header or the length, one time in four.
    private int mutated(FuzzInput in, int length) {
        int choice = in.nextByte();
        if ((choice & 3) != 0) {
            return length;
        }
        if ((choice & 4) != 0) {
            return Math.min(in.nextShort() % (MAX_LENGTH + 1), length + (choice >> 3));
        }
        bytes[in.next(DataHeader.LENGTH)] ^= (byte) in.nextByte();
        return length;
    }

    private void putLong(int offset, long value) {
        Memory.putLong(header, value);
        Memory.copyTo(header, bytes, offset, Long.BYTES);
    }

    @Override
    public void close() {
        scratch.close();
    }
}
