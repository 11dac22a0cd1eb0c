package io.homa.wire;

import io.homa.memory.Memory;
import java.util.ArrayList;
import java.util.List;

/// Homa packets as one line of text, for traces and for tests that read as packet exchanges. Not for hot paths.
///
/// | packet | text |
/// |---|---|
/// | DATA | `DATA 100 0+1424/20000 in=10000 v=1`: id, offset+payload/length, incoming, cutoff version; then
/// `retrans`, `short` (asks for a short start of the response), `ack=102:4000` if so |
/// | GRANT | `GRANT 101 1300@0`: id, offset, priority |
/// | RESEND | `RESEND 101 1424+2848@7` or `RESEND 101 all@7` |
/// | CUTOFFS | `CUTOFFS 101 v1 0,0,0,0,1000000,15000,2800,200` |
/// | ACK | `ACK 100 [102:4000 104:4001]` |
/// | others | `BUSY 101`, `NEED_ACK 101`, `RPC_UNKNOWN 101`, `FREEZE 0` |
///
/// The id is the sender's. Ports are shown, as `32768>4000` behind the id, only when they are not the usual ones:
/// client 32768, server 4000. A payload that [#write] makes describes itself: the four bytes at message offset
/// `k`, a multiple of 4, hold `k` big-endian.
public final class PacketText {
    public static final int CLIENT_PORT = 32_768;
    public static final int SERVER_PORT = 4_000;

    private static final String[] NAMES = {
        "DATA", "GRANT", "RESEND", "RPC_UNKNOWN", "BUSY", "CUTOFFS", "FREEZE", "NEED_ACK", "ACK"
    };

    private PacketText() {}

    /// Returns the text of the packet of `length` bytes at `header`, whatever it is.
    public static String format(long header, int length) {
        if (!PacketType.isValid(header, length)) {
            return "INVALID " + length + " bytes";
        }
        int type = HomaHeader.type(header);
        long id = HomaHeader.senderId(header);
        StringBuilder text =
                new StringBuilder(NAMES[type - PacketType.DATA]).append(' ').append(Long.toUnsignedString(id));
        int source = HomaHeader.sourcePort(header);
        int destination = HomaHeader.destinationPort(header);
        if (source != usualSource(id) || destination != usualDestination(id)) {
            text.append(' ').append(source).append('>').append(destination);
        }
        switch (type) {
            case PacketType.DATA -> formatData(text, header, length);
            case PacketType.GRANT ->
                text.append(' ').append(GrantHeader.offset(header)).append('@').append(GrantHeader.priority(header));
            case PacketType.RESEND -> formatResend(text, header);
            case PacketType.CUTOFFS -> formatCutoffs(text, header);
            case PacketType.ACK -> formatAcks(text, header);
            default -> {}
        }
        return text.toString();
    }

    private static int usualSource(long id) {
        return (id & 1) == 0 ? CLIENT_PORT : SERVER_PORT;
    }

    private static int usualDestination(long id) {
        return usualSource(id ^ 1);
    }

    private static void formatData(StringBuilder text, long header, int length) {
        text.append(' ').append(DataHeader.offset(header)).append('+').append(length - DataHeader.LENGTH);
        text.append('/').append(DataHeader.messageLength(header)).append(" in=").append(DataHeader.incoming(header));
        text.append(" v=").append(DataHeader.cutoffVersion(header));
        if (DataHeader.isRetransmission(header)) {
            text.append(" retrans");
        }
        if (DataHeader.wantsShortStart(header)) {
            text.append(" short");
        }
        if (DataHeader.ackClientId(header) != 0) {
            text.append(" ack=").append(Long.toUnsignedString(DataHeader.ackClientId(header)));
            text.append(':').append(DataHeader.ackServerPort(header));
        }
    }

    private static void formatResend(StringBuilder text, long header) {
        if (ResendHeader.offset(header) == 0 && ResendHeader.length(header) == ResendHeader.EVERYTHING) {
            text.append(" all");
        } else {
            text.append(' ').append(ResendHeader.offset(header)).append('+').append(ResendHeader.length(header));
        }
        text.append('@').append(ResendHeader.priority(header));
    }

    private static void formatCutoffs(StringBuilder text, long header) {
        text.append(" v").append(CutoffsHeader.cutoffVersion(header));
        for (int i = 0; i < 8; i++) {
            text.append(i == 0 ? ' ' : ',').append(CutoffsHeader.cutoff(header, i));
        }
    }

    private static void formatAcks(StringBuilder text, long header) {
        List<String> acks = new ArrayList<>();
        for (int i = 0; i < AckHeader.count(header); i++) {
            acks.add(Long.toUnsignedString(AckHeader.clientId(header, i)) + ":" + AckHeader.serverPort(header, i));
        }
        text.append(" [").append(String.join(" ", acks)).append(']');
    }

    /// Writes the packet that `text` describes to memory at `header` and returns its length.
    ///
    /// @throws IllegalArgumentException if the text is not one of the forms above
    public static int write(String text, long header) {
        List<String> words = new ArrayList<>(List.of(text.split(" +", -1)));
        int type = PacketType.DATA + List.of(NAMES).indexOf(words.removeFirst());
        if (type < PacketType.DATA || words.isEmpty()) {
            throw new IllegalArgumentException("not a packet: " + text);
        }
        long id = Long.parseUnsignedLong(words.removeFirst());
        int source = usualSource(id);
        int destination = usualDestination(id);
        if (!words.isEmpty() && words.getFirst().contains(">")) {
            String[] ports = words.removeFirst().split(">", -1);
            source = Integer.parseInt(ports[0]);
            destination = Integer.parseInt(ports[1]);
        }
        HomaHeader.write(header, type, source, destination, id);
        return switch (type) {
            case PacketType.DATA -> writeData(words, header, source, destination, id);
            case PacketType.GRANT -> {
                String[] fields = words.getFirst().split("@", -1);
                GrantHeader.write(header, Integer.parseUnsignedInt(fields[0]), Integer.parseInt(fields[1]));
                yield GrantHeader.LENGTH;
            }
            case PacketType.RESEND -> {
                String[] fields = words.getFirst().split("[+@]", -1);
                boolean isAll = fields[0].equals("all");
                int offset = isAll ? 0 : Integer.parseUnsignedInt(fields[0]);
                int length = isAll ? ResendHeader.EVERYTHING : Integer.parseInt(fields[1]);
                ResendHeader.write(header, offset, length, Integer.parseInt(fields[fields.length - 1]));
                yield ResendHeader.LENGTH;
            }
            case PacketType.CUTOFFS -> writeCutoffs(words, header);
            case PacketType.ACK -> writeAcks(words, header);
            default -> HomaHeader.LENGTH;
        };
    }

    private static int writeData(List<String> words, long header, int source, int destination, long id) {
        String[] position = words.getFirst().split("[+/]", -1);
        int offset = Integer.parseUnsignedInt(position[0]);
        int payload = Integer.parseInt(position[1]);
        int length = Integer.parseUnsignedInt(position[2]);
        int incoming = Math.min(length, 40_000);
        int version = 1;
        boolean isRetransmission = false;
        boolean wantsShortStart = false;
        String ack = "";
        for (String word : words.subList(1, words.size())) {
            if (word.startsWith("in=")) {
                incoming = Integer.parseUnsignedInt(word.substring(3));
            } else if (word.startsWith("v=")) {
                version = Integer.parseInt(word.substring(2));
            } else if (word.startsWith("ack=")) {
                ack = word.substring(4);
            } else if (word.equals("retrans")) {
                isRetransmission = true;
            } else if (word.equals("short")) {
                wantsShortStart = true;
            } else {
                throw new IllegalArgumentException("not an option of DATA: " + word);
            }
        }
        DataHeader.write(header, source, destination, id, length, incoming, offset, isRetransmission, version);
        if (wantsShortStart) {
            DataHeader.askForShortStart(header);
        }
        if (!ack.isEmpty()) {
            String[] fields = ack.split(":", -1);
            DataHeader.ack(header, Long.parseUnsignedLong(fields[0]), Integer.parseInt(fields[1]));
        }
        for (int i = 0; i < payload; i++) {
            Memory.putByte(header + DataHeader.LENGTH + i, payloadByte(offset + i));
        }
        return DataHeader.LENGTH + payload;
    }

    /// Returns the byte at `offset` of a message whose payload describes itself.
    public static int payloadByte(int offset) {
        return (offset & ~3) >>> (8 * (3 - (offset & 3))) & 0xFF;
    }

    private static int writeCutoffs(List<String> words, long header) {
        CutoffsHeader.cutoffVersion(header, Integer.parseInt(words.get(0).substring(1)));
        String[] cutoffs = words.get(1).split(",", -1);
        for (int i = 0; i < 8; i++) {
            CutoffsHeader.cutoff(header, i, Integer.parseUnsignedInt(cutoffs[i]));
        }
        return CutoffsHeader.LENGTH;
    }

    private static int writeAcks(List<String> words, long header) {
        Memory.fill(header + AckHeader.COUNT_OFFSET, AckHeader.LENGTH - AckHeader.COUNT_OFFSET, 0);
        String acks = String.join(" ", words).replaceAll("[\\[\\]]", "").trim();
        int count = 0;
        for (String ack : acks.isEmpty() ? new String[0] : acks.split(" ", -1)) {
            String[] fields = ack.split(":", -1);
            AckHeader.ack(header, count++, Long.parseUnsignedLong(fields[0]), Integer.parseInt(fields[1]));
        }
        AckHeader.count(header, count);
        return AckHeader.LENGTH;
    }
}
