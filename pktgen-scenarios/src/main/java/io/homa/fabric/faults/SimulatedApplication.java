package io.homa.fabric.faults;

import io.homa.engine.Engine;
import io.homa.engine.EngineEvents;
import io.homa.engine.RpcError;
import io.homa.engine.Segmentation;
import io.homa.engine.SendResult;
import io.homa.memory.Packet;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/// Client and server of one simulated host: keeps requests of mixed sizes on their way to the other hosts, answers
/// theirs after a while, and checks every byte of both against the ledger. One thread.
final class SimulatedApplication implements EngineEvents {
    private static final long RETRY_NS = 100_000;
    private static final int CANCEL_ONE_IN = 200;

    private record Reply(long readyNs, long order, long rpc, long peerLow, long tag, int length) {}

    private final FaultPlan plan;
    private final RpcLedger ledger;
    private final SplittableRandom random;
    private final PriorityQueue<Reply> replies =
            new PriorityQueue<>(Comparator.comparingLong(Reply::readyNs).thenComparingLong(Reply::order));

    @SuppressWarnings("NullAway.Init") // the host needs its application before it can be made
    private SimulatedHost host;

    private long order;
    private int outstanding;
    private long timeNs;
    private boolean isBlocked;
    private long cancelTarget = -1;

    SimulatedApplication(FaultPlan plan, RpcLedger ledger, SplittableRandom random) {
        this.plan = plan;
        this.ledger = ledger;
        this.random = random;
    }

    void start(SimulatedHost simulatedHost) {
        host = simulatedHost;
    }

    /// The time of the events that follow.
    void timeNs(long nowNs) {
        timeNs = nowNs;
    }

    /// The host has lost its memory.
    void onRestart() {
        replies.clear();
        cancelTarget = -1;
    }

    boolean isIdle() {
        return outstanding == 0 && replies.isEmpty();
    }

    /// Returns when [#run] has something to do again.
    long nextNs() {
        if (isBlocked) {
            return timeNs + RETRY_NS;
        }
        return replies.isEmpty() ? Long.MAX_VALUE : Math.max(replies.peek().readyNs, timeNs + 1);
    }

    /// Sends what is due.
    void run() {
        isBlocked = false;
        if (cancelTarget >= 0) {
            host.engine().cancel(cancelTarget, true, localNs());
            cancelTarget = -1;
        }
        while (!replies.isEmpty() && replies.peek().readyNs <= timeNs) {
            if (!answer(replies.peek())) {
                isBlocked = true;
                break;
            }
            replies.remove();
        }
        while (outstanding < plan.outstanding() && !ledger.isFull()) {
            if (!request()) {
                isBlocked = true;
                break;
            }
        }
    }

    private long localNs() {
        return host.clock.localNs(timeNs);
    }

    private boolean answer(Reply reply) {
        long chain = compose(reply.peerLow, reply.length, reply.tag);
        if (chain == 0) {
            return false;
        }
        long result = host.engine().sendResponse(reply.rpc, chain, reply.length, localNs());
        if (result != SendResult.OK) {
            throw new Violation("host " + host.index + " could not answer: " + result);
        }
        return true;
    }

    private boolean request() {
        int server = random.nextInt(plan.hosts() - 1);
        server += server >= host.index ? 1 : 0;
        int length = length();
        int tag = ledger.send(length);
        long chain = compose(SimulatedHost.address(server), length, length < MessagePattern.TAG_BYTES ? -1 : tag);
        if (chain == 0) {
            ledger.unsend();
            return false;
        }
        long rpc = host.engine()
                .sendRequest(
                        0,
                        SimulatedHost.address(server),
                        SimulatedHost.SERVER_PORT,
                        SimulatedHost.CLIENT_PORT,
                        chain,
                        length,
                        tag,
                        localNs());
        if (rpc < 0) {
            ledger.unsend();
            host.engine().release(chain);
            return false;
        }
        outstanding++;
        if (random.nextInt(CANCEL_ONE_IN) == 0) {
            cancelTarget = rpc;
        }
        return true;
    }

    /// Mostly short ones, as in datacenters.
    private int length() {
        int kind = random.nextInt(100);
        if (kind < 5) {
            return 1 + random.nextInt(7);
        }
        if (kind < 75) {
            return 8 + random.nextInt(600);
        }
        if (kind < 95) {
            return 8 + random.nextInt(6_000);
        }
        if (kind < 99) {
            return 8 + random.nextInt(Math.min(plan.largest(), 50_000));
        }
        return 8 + random.nextInt(plan.largest() - 7);
    }

    /// Writes a message; 0 if memory is short.
    private long compose(long peerLow, int length, long tag) {
        Segmentation cut = host.engine().segmentation(0, peerLow);
        if (host.pool.available() - cut.segmentCount(length) < host.engine().receiveReserve()) {
            return 0;
        }
        long first = 0;
        long last = 0;
        for (int offset = 0; offset < length; ) {
            long packet = host.pool.allocate();
            int bytes = cut.segmentLength(offset, length);
            Packet.payload(packet, Packet.HEADROOM, bytes);
            Packet.messageOffset(packet, offset);
            Packet.link(packet, 0);
            MessagePattern.write(packet, tag);
            if (last == 0) {
                first = packet;
            } else {
                Packet.link(last, packet);
            }
            last = packet;
            offset += bytes;
        }
        return first;
    }

    @Override
    public void onRequest(long rpc, int peer, int clientPort, int serverPort, long firstPacket, int length) {
        long tag = MessagePattern.tag(firstPacket, length);
        boolean isIntact = MessagePattern.isIntact(firstPacket, length, tag);
        Engine engine = host.engine();
        engine.release(firstPacket);
        boolean isKnown = tag == MessagePattern.NO_TAG || ledger.isKnown(tag);
        if (!isIntact || !isKnown || (tag > 0 && ledger.requestLength(tag) != length)) {
            throw new Violation("host " + host.index + " received a request of " + length
                    + " bytes that nobody sent like this (tag " + tag + ")");
        }
        int answerLength = length;
        long answerTag = tag;
        if (tag != MessagePattern.NO_TAG) {
            ledger.executed(tag, host.life());
            answerLength = ledger.responseLength(tag, plan.largest());
            answerTag = tag | MessagePattern.RESPONSE;
        }
        long delayNs = random.nextInt(8) == 0 ? random.nextInt(500_000) : 0;
        long peerLow = engine.peer(peer).addressLow();
        replies.add(new Reply(timeNs + delayNs, order++, rpc, peerLow, answerTag, answerLength));
    }

    @Override
    public void onResponse(long rpc, long cookie, long firstPacket, int length, long rttNs) {
        outstanding--;
        boolean isTagged = ledger.requestLength(cookie) >= MessagePattern.TAG_BYTES;
        int expected = isTagged ? ledger.responseLength(cookie, plan.largest()) : ledger.requestLength(cookie);
        long tag = isTagged ? cookie | MessagePattern.RESPONSE : MessagePattern.NO_TAG;
        boolean isIntact = length == expected && MessagePattern.isIntact(firstPacket, length, tag);
        host.engine().release(firstPacket);
        if (!isIntact) {
            throw new Violation("host " + host.index + " received a wrong response of " + length + " bytes for RPC "
                    + cookie + ", which should have " + expected);
        }
        ledger.answered(cookie, isTagged);
    }

    @Override
    public void onFailure(long rpc, long cookie, RpcError error) {
        outstanding--;
        ledger.failed(cookie, error, error == RpcError.CANCELLED || plan.allowsFailures());
    }
}
