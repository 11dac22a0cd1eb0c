package io.homa.replay;

import io.homa.replay.Capture.Frame;
import io.homa.wire.PacketType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/// What reached the other side of the packets in a capture, and when. Some captures show packets before a forwarder
/// lost, doubled or held back some of them; what it did is in a file beside, or said in the captures' README.
final class Forwarder {
    /// A frame that was held back follows after this many others of its direction, or when they do not come.
    private static final int HELD_FOR = 3;

    private static final long LONGEST_HELD_NS = 10_000_000;

    private static final String[] NAMES = {
        "DATA", "GRANT", "RESEND", "RPC_UNKNOWN", "BUSY", "CUTOFFS", "FREEZE", "NEED_ACK", "ACK"
    };

    private Forwarder() {}

    /// Returns what was delivered to the client, or else to the server, in order.
    static List<Frame> deliveries(Capture capture, Path directory, boolean toClient) throws IOException {
        List<Frame> sent = capture.frames().stream()
                .filter(f -> f.isFromClient() != toClient)
                .toList();
        Path actions = directory.resolve(capture.name() + ".actions.txt");
        return Files.exists(actions) ? act(sent, Files.readAllLines(actions), toClient) : lose(capture.name(), sent);
    }

    private static List<Frame> act(List<Frame> sent, List<String> actions, boolean toClient) {
        String[] action = new String[sent.size()];
        int at = 0;
        for (String line : actions) {
            if (!line.contains(toClient ? " dir=01 " : " dir=10 ")) {
                continue;
            }
            while (!describes(line, sent.get(at))) {
                at++;
            }
            action[at++] = line.substring(0, line.indexOf(' '));
        }
        List<Frame> delivered = new ArrayList<>();
        for (int i = 0; i < sent.size(); i++) {
            Frame frame = sent.get(i);
            String what = action[i] == null ? "pass" : action[i];
            switch (what) {
                case "drop" -> {}
                case "dup" -> delivered.addAll(List.of(frame, frame));
                case "hold" -> {
                    long othersNs =
                            sent.get(Math.min(i + HELD_FOR, sent.size() - 1)).timeNs() + 1;
                    long timeNs = Math.min(othersNs, frame.timeNs() + LONGEST_HELD_NS);
                    delivered.add(new Frame(timeNs, frame.isFromClient(), frame.packet(), frame.isError()));
                }
                default -> delivered.add(frame);
            }
        }
        delivered.sort(Comparator.comparingLong(Frame::timeNs));
        return delivered;
    }

    /// Says whether a line such as `drop dir=10 DATA id=34 off=12816 … goff=-1 roff=-1 rlen=0 rtx=0` can be about a
    /// frame.
    private static boolean describes(String line, Frame frame) {
        HomaPacket packet = frame.packet();
        boolean isNamed = line.contains(" " + NAMES[packet.type() - PacketType.DATA] + " ")
                && line.contains(" id=" + packet.senderId() + " ");
        return isNamed
                && switch (packet.type()) {
                    case PacketType.DATA ->
                        line.contains(" off=" + packet.offset() + " ")
                                && line.endsWith(" rtx=" + (packet.isRetransmission() ? 1 : 0));
                    case PacketType.GRANT -> line.contains(" goff=" + packet.grantOffset() + " ");
                    case PacketType.RESEND ->
                        line.contains(" roff=" + packet.resendOffset() + " ")
                                && line.contains(" rlen=" + packet.resendLength() + " ");
                    default -> true;
                };
    }

    /// The README's last column, for the captures that have no file of actions.
    private static List<Frame> lose(String name, List<Frame> sent) {
        return switch (name) {
            case "loss-request-first" -> without(sent, 1, Forwarder::isFirstData, true);
            case "loss-response" -> without(sent, 1, Forwarder::isFirstData, false);
            case "loss-request-middle" ->
                without(sent, 1, f -> isFirstData(f) && f.packet().offset() == 2_848, true);
            case "loss-request-gaps" ->
                without(
                        sent,
                        4,
                        f -> isFirstData(f)
                                && List.of(1_424, 7_120, 8_544, 19_936)
                                        .contains(f.packet().offset()),
                        true);
            case "loss-response-last" ->
                without(sent, 1, f -> isFirstData(f) && f.packet().offset() == 19_936, false);
            case "loss-grants-100000-hdr" ->
                without(
                        without(sent, Integer.MAX_VALUE, f -> f.packet().is(PacketType.GRANT), true),
                        Integer.MAX_VALUE,
                        f -> f.packet().is(PacketType.GRANT),
                        false);
            case "loss-need-ack-and-ack" ->
                without(
                        without(sent, 3, f -> f.packet().is(PacketType.NEED_ACK), false),
                        2,
                        f -> f.packet().is(PacketType.ACK),
                        true);
            case "timeout-all-responses-lost" -> without(sent, Integer.MAX_VALUE, f -> true, false);
            case "cutoffs-change-and-loss" -> without(sent, 2, f -> f.packet().is(PacketType.CUTOFFS), false);
            default -> sent;
        };
    }

    private static boolean isFirstData(Frame frame) {
        return frame.packet().isData() && !frame.packet().isRetransmission();
    }

    /// Drops the first `count` frames of one side that `matches`.
    private static List<Frame> without(List<Frame> sent, int count, Predicate<Frame> matches, boolean ofClient) {
        List<Frame> rest = new ArrayList<>();
        int dropped = 0;
        for (Frame frame : sent) {
            if (dropped < count && frame.isFromClient() == ofClient && matches.test(frame)) {
                dropped++;
            } else {
                rest.add(frame);
            }
        }
        return rest;
    }
}
