package io.homa.replay;

import io.homa.engine.GrantConfig;
import io.homa.engine.RpcError;
import io.homa.replay.Capture.Frame;
import io.homa.replay.ReplayHost.Sent;
import io.homa.wire.PacketType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// What this engine said in a conversation beside what the kernel said in it.
final class Comparison {
    final List<String> differences = new ArrayList<>();
    final Map<Permitted, Integer> permitted = new EnumMap<>(Permitted.class);

    private final Capture capture;
    private final boolean isClient;
    private final List<Frame> deliveries;
    private final ReplayHost host;
    private final long rpc;
    private final List<Sent> kernel = new ArrayList<>();
    private final List<Sent> ours = new ArrayList<>();

    Comparison(Capture capture, boolean client, List<Frame> deliveries, ReplayHost host, long rpc) {
        this.capture = capture;
        isClient = client;
        this.deliveries = deliveries;
        this.host = host;
        this.rpc = rpc;
        for (Frame frame : capture.sentBy(client)) {
            if (frame.packet().rpc() == rpc) {
                kernel.add(new Sent(frame.timeNs(), frame.packet()));
            }
        }
        host.sent.stream().filter(s -> s.packet().rpc() == rpc).forEach(ours::add);
    }

    private void differ(String what, Object kernels, Object own) {
        differences.add((isClient ? "client " : "server ") + rpc + ": " + what + ": kernel " + kernels + ", we " + own);
    }

    private void permit(Permitted what) {
        permitted.merge(what, 1, Integer::sum);
    }

    Comparison compare() {
        compareFirstTransmissions();
        checkScheduledPriorities();
        compareAnswers();
        compareDelivery();
        compareGrants();
        compareRequestsForLost();
        compareAcks();
        return this;
    }

    private static Map<Integer, HomaPacket> data(List<Sent> packets, boolean again) {
        Map<Integer, HomaPacket> byOffset = new TreeMap<>();
        for (Sent sent : packets) {
            if (sent.packet().isData() && sent.packet().isRetransmission() == again) {
                byOffset.put(sent.packet().offset(), sent.packet());
            }
        }
        return byOffset;
    }

    private void compareFirstTransmissions() {
        Map<Integer, HomaPacket> theirs = data(kernel, false);
        Map<Integer, HomaPacket> own = data(ours, false);
        Set<Integer> more = new TreeSet<>(own.keySet());
        more.removeAll(theirs.keySet());
        if (!own.keySet().containsAll(theirs.keySet())) {
            differ("offsets of DATA", theirs.keySet(), own.keySet());
        } else if (!more.isEmpty()) {
            if (data(kernel, true).keySet().containsAll(more)) {
                permit(Permitted.LOST_BEFORE_CAPTURE);
            } else {
                differ("offsets of DATA", "lacks", more);
            }
        }
        theirs.forEach((offset, packet) -> {
            HomaPacket mine = own.get(offset);
            if (mine != null) {
                compareData(packet, mine);
            }
        });
    }

    private void compareData(HomaPacket theirs, HomaPacket own) {
        int[] kernels = {
            theirs.dataLength(),
            theirs.messageLength(),
            theirs.incoming(),
            theirs.sourcePort(),
            theirs.destinationPort()
        };
        int[] mine = {own.dataLength(), own.messageLength(), own.incoming(), own.sourcePort(), own.destinationPort()};
        if (!Arrays.equals(kernels, mine)) {
            differ("length, message, incoming, ports", Arrays.toString(kernels), Arrays.toString(mine));
        }
        if (!Arrays.equals(theirs.payload(), own.payload())) {
            differ("payload at " + theirs.offset(), "", "");
        }
        if (theirs.cutoffVersion() != own.cutoffVersion()) {
            permit(Permitted.CUTOFFS_CROSS_DATA);
        } else if (theirs.priority() != own.priority()) {
            if (theirs.offset() >= theirs.incoming()) {
                permit(Permitted.GRANT_CROSSES_DATA);
            } else {
                differ("priority at " + theirs.offset(), theirs.priority(), own.priority());
            }
        }
    }

    /// What was asked for again, and what was said when it could not be sent.
    private void compareAnswers() {
        Set<Integer> theirs = data(kernel, true).keySet();
        Set<Integer> own = data(ours, true).keySet();
        long busier = count(ours, PacketType.BUSY) - count(kernel, PacketType.BUSY);
        if (busier > 0 && theirs.containsAll(own)) {
            permit(Permitted.ANSWERED_BEFORE_APPLICATION);
        } else if (busier != 0 || !theirs.equals(own)) {
            differ("offsets sent again, and BUSY less often by", theirs, own + " and " + busier);
        }
        long theirUnknown = count(kernel, PacketType.RPC_UNKNOWN);
        long ownUnknown = count(ours, PacketType.RPC_UNKNOWN);
        if (theirUnknown != ownUnknown) {
            differ("RPC_UNKNOWN", theirUnknown, ownUnknown);
        }
    }

    private static long count(List<Sent> packets, int type) {
        return packets.stream().filter(s -> s.packet().is(type)).count();
    }

    /// Scheduled packets go at the priority of the last GRANT.
    private void checkScheduledPriorities() {
        for (Sent sent : ours) {
            HomaPacket packet = sent.packet();
            if (packet.isData() && !packet.isRetransmission() && packet.offset() >= packet.incoming()) {
                int granted = lastGrantedPriority(sent.timeNs());
                if (packet.priority() != granted) {
                    differ("priority of scheduled data at " + packet.offset(), granted, packet.priority());
                }
            }
        }
    }

    private int lastGrantedPriority(long untilNs) {
        int priority = 0;
        for (Frame frame : deliveries) {
            if (frame.timeNs() <= untilNs
                    && frame.packet().rpc() == rpc
                    && frame.packet().is(PacketType.GRANT)) {
                priority = frame.packet().grantPriority();
            }
        }
        return priority;
    }

    private BitSet delivered(long untilNs) {
        BitSet bytes = new BitSet();
        for (Frame frame : deliveries) {
            if (frame.timeNs() <= untilNs
                    && frame.packet().rpc() == rpc
                    && frame.packet().isData()) {
                bytes.set(
                        frame.packet().offset(),
                        frame.packet().offset() + frame.packet().dataLength());
            }
        }
        return bytes;
    }

    private void compareDelivery() {
        ReplayHost.Heard heard = host.heard.get(rpc);
        if (capture.isRefused()) {
            RpcError error = heard == null ? null : heard.error();
            if (error != (isClient ? RpcError.PORT_UNREACHABLE : null) || (!isClient && host.refused == 0)) {
                differ("port unreachable", true, heard);
            }
            return;
        }
        byte[] message = capture.message(rpc, !isClient);
        boolean isComplete = message.length > 0 && delivered(Long.MAX_VALUE).cardinality() == message.length;
        if (isComplete != (heard != null && heard.error() == null)) {
            differ("complete message", isComplete, heard);
        } else if (isComplete && !Arrays.equals(message, heard.message())) {
            differ("content of the message", "", "");
        }
    }

    private void compareGrants() {
        int last = 0;
        for (Sent sent : ours) {
            if (sent.packet().is(PacketType.GRANT)) {
                if (sent.packet().grantOffset() < last) {
                    differ("grant", "rising", sent.packet().grantOffset());
                }
                last = sent.packet().grantOffset();
            }
        }
        int highest = 0;
        int repeated = 0;
        for (Sent sent : kernel) {
            if (sent.packet().is(PacketType.GRANT)) {
                repeated += sent.packet().grantOffset() <= highest ? 1 : 0;
                highest = Math.max(highest, sent.packet().grantOffset());
                int granted = granted(sent.timeNs());
                int behind = sent.packet().grantOffset() - granted;
                if (behind > 0 && behind <= GrantConfig.DEFAULT.fifoIncrementBytes()) {
                    permit(Permitted.OLDEST_GRANTED_LATER);
                } else if (behind > 0) {
                    differ("granted at " + sent.timeNs() / 1000, sent.packet().grantOffset(), granted);
                }
            }
        }
        if (highest != last) {
            differ("highest grant", highest, last);
        }
        for (int i = 0; i < repeated; i++) {
            permit(Permitted.GRANT_NOT_REPEATED);
        }
    }

    private int granted(long untilNs) {
        return ours.stream()
                .filter(s -> s.packet().is(PacketType.GRANT) && s.timeNs() <= untilNs)
                .mapToInt(s -> s.packet().grantOffset())
                .max()
                .orElse(0);
    }

    private void compareRequestsForLost() {
        for (Sent question : kernel) {
            if (question.packet().is(PacketType.RESEND)) {
                compareRequest(question);
            }
        }
        for (Sent question : ours) {
            if (question.packet().is(PacketType.RESEND)) {
                BitSet wanted = range(question.packet(), 1);
                wanted.and(delivered(question.timeNs() - 1));
                if (!wanted.isEmpty()) {
                    differ("asked for what was there", false, wanted);
                }
            }
        }
    }

    /// By the time of the kernel's question we must have asked for what we lacked of it.
    private void compareRequest(Sent question) {
        BitSet missing = range(question.packet(), 1);
        missing.andNot(delivered(question.timeNs()));
        if (missing.isEmpty()) {
            permit(Permitted.HAD_ARRIVED);
            return;
        }
        missing.andNot(asked(question.timeNs()));
        if (missing.isEmpty()) {
            permit(Permitted.ASKED_EARLIER);
        } else {
            differ("asked at " + question.timeNs() / 1000, question.packet().resendOffset(), missing);
        }
    }

    /// Returns what a RESEND asks for; `everything` bytes if it asks for everything.
    private static BitSet range(HomaPacket resend, int everything) {
        BitSet range = new BitSet();
        int length = resend.resendLength();
        range.set(resend.resendOffset(), length == -1 ? everything : resend.resendOffset() + length);
        return range;
    }

    private BitSet asked(long untilNs) {
        BitSet asked = new BitSet();
        for (Sent sent : ours) {
            if (sent.packet().is(PacketType.RESEND) && sent.timeNs() <= untilNs) {
                asked.or(range(sent.packet(), 1_000_000));
            }
        }
        return asked;
    }

    private void compareAcks() {
        if (isClient) {
            Set<Long> own = new HashSet<>();
            host.sent.forEach(s -> own.addAll(host.acked(s.packet())));
            if (capture.isAcknowledged(rpc) && !own.contains(rpc)) {
                differ("acknowledged", true, false);
            }
            return;
        }
        long theirs = count(kernel, PacketType.NEED_ACK);
        long mine = count(ours, PacketType.NEED_ACK);
        if (theirs == 0 && mine > 0 && lastNeedAckNs() < acknowledgedNs()) {
            permit(Permitted.ACKNOWLEDGEMENT_ASKED_EARLIER);
        } else if ((theirs == 0) != (mine == 0)) {
            differ("NEED_ACK", theirs, mine);
        } else if (mine < theirs) {
            permit(Permitted.FEWER_NEED_ACKS);
        }
    }

    private long lastNeedAckNs() {
        return ours.stream()
                .filter(s -> s.packet().is(PacketType.NEED_ACK))
                .mapToLong(Sent::timeNs)
                .max()
                .orElseThrow();
    }

    /// Returns when the server heard that the client has its response.
    private long acknowledgedNs() {
        return deliveries.stream()
                .filter(f -> f.packet().acked().contains(rpc))
                .mapToLong(Frame::timeNs)
                .findFirst()
                .orElse(Long.MAX_VALUE);
    }

    /// Compares what concerns the hosts and no conversation: the tables that they tell.
    static List<String> compareCutoffs(Capture capture, boolean client, ReplayHost host) {
        Set<String> theirs = new TreeSet<>();
        Set<String> own = new TreeSet<>();
        capture.sentBy(client).forEach(f -> addTable(theirs, f.packet()));
        host.sent.forEach(s -> addTable(own, s.packet()));
        return theirs.equals(own) ? List.of() : List.of("CUTOFFS: kernel " + theirs + ", we " + own);
    }

    private static void addTable(Set<String> tables, HomaPacket packet) {
        if (packet.is(PacketType.CUTOFFS)) {
            tables.add(packet.cutoffVersion() + " " + Arrays.toString(packet.cutoffs()));
        }
    }
}
