package io.homa.engine;

import io.homa.memory.HotPath;
import org.jspecify.annotations.Nullable;

/// Decides, for all messages that this host receives, which may send how much at which priority (protocol
/// reference 4.3).
///
/// Up to `maxOvercommit` messages are *active*; the others wait. Fewest bytes to receive come first, every peer
/// gets one active message before any gets two, and a small share of all grants goes to the oldest message. An
/// active message stays so until it is complete. Packets only mark their message; grants are decided once per
/// burst, best message first. Engine thread only.
@HotPath
final class GrantScheduler {
    private static final long DEFAULT_LINK_BITS_PER_SECOND = 25_000_000_000L;

    private final GrantConfig config;
    private final PriorityCutoffs cutoffs;
    private final PaperRules paper;
    private final ControlPackets control;
    private final EarlyRecovery early;
    private final RpcTable rpcs;
    private final PeerTable peers;
    private final int fifoPriority;
    private final long fifoIntervalNs;
    private final int lowMemoryWindowBytes;

    private final Rpc[] active;
    private int activeCount;
    private final int[] marked;
    private int markedCount;
    /// Peers with waiting messages and no active one, by their best message.
    private final IndexedHeap idlePeers;
    /// Grantable messages that are not fully granted, by age.
    private final IndexedHeap oldest;

    private long totalIncoming;
    private long nextFifoNs = Long.MIN_VALUE;
    private boolean isDirty;

    GrantScheduler(EngineParts parts) {
        EngineConfig engine = parts.config;
        config = engine.grants();
        early = parts.early;
        cutoffs = parts.cutoffs;
        paper = parts.paper;
        control = parts.control;
        rpcs = parts.rpcs;
        peers = parts.peers;
        fifoPriority = engine.priorities() <= 2 ? 0 : engine.priorities() - 2;
        fifoIntervalNs = fifoInterval(engine);
        lowMemoryWindowBytes = Math.max(1, engine.limits().poolReserve() / 4 * (engine.mtu() - 96));
        active = new Rpc[engine.grants().maxOvercommit()];
        marked = new int[engine.limits().maxRpcs()];
        idlePeers = new IndexedHeap(engine.limits().maxPeers());
        oldest = new IndexedHeap(engine.limits().maxRpcs());
    }

    /// The time in which the configured share of the link carries one increment.
    private static long fifoInterval(EngineConfig config) {
        int perMille = config.grants().fifoFractionPerMille();
        long link = config.linkBitsPerSecond() == 0 ? DEFAULT_LINK_BITS_PER_SECOND : config.linkBitsPerSecond();
        return perMille == 0
                ? Long.MAX_VALUE
                : config.grants().fifoIncrementBytes() * 8L * 1_000_000_000L / link * 1000 / perMille;
    }

    /// Returns the bytes granted but not received over all grantable messages.
    long totalIncoming() {
        return totalIncoming;
    }

    int activeCount() {
        return activeCount;
    }

    /// Notes that data arrived for `rpc`, so that the next round looks at it.
    void mark(Rpc rpc) {
        if (rpc.in.isGrantable && !rpc.in.isMarked) {
            rpc.in.isMarked = true;
            marked[markedCount++] = rpc.slot;
        }
    }

    /// Forgets a message that is complete or has died.
    void remove(Rpc rpc) {
        IncomingMessage in = rpc.in;
        if (in.isMarked) {
            unmark(rpc.slot);
            in.isMarked = false;
        }
        if (!in.isGrantable) {
            return;
        }
        totalIncoming -= in.countedIncoming;
        in.countedIncoming = 0;
        oldest.remove(rpc.slot);
        if (in.isActive) {
            deactivate(rpc);
        } else if (in.isWaiting) {
            stopWaiting(rpc);
        }
        in.isGrantable = false;
        isDirty = true;
    }

    /// The data of `rpc` is about to be given up: it will rank lower.
    void beforeDiscard(Rpc rpc) {
        if (rpc.in.isWaiting) {
            rpc.peer().waiting = WaitingHeap.remove(waiting(rpc.peer()), rpc);
        }
    }

    /// The data of `rpc` was given up.
    void afterDiscard(Rpc rpc) {
        if (rpc.in.isWaiting) {
            rpc.peer().waiting = WaitingHeap.add(rpc.peer().waiting, rpc);
            refresh(rpc.peer());
        }
        mark(rpc);
    }

    private void unmark(int slot) {
        for (int i = 0; i < markedCount; i++) {
            if (marked[i] == slot) {
                marked[i] = marked[--markedCount];
                return;
            }
        }
    }

    /// Decides grants after a burst. With `isMemoryLow` only the best message goes on, in small steps, so that
    /// memory comes free.
    void run(boolean isMemoryLow, long nowNs) {
        if (markedCount == 0 && !isDirty) {
            return;
        }
        isDirty = false;
        for (int i = 0; i < markedCount; i++) {
            Rpc rpc = rpcs.at(marked[i]);
            rpc.in.isMarked = false;
            recount(rpc.in);
            place(rpc);
        }
        markedCount = 0;
        do {
            promote();
            grantActive(isMemoryLow, nowNs);
        } while (paper.isOn() && retireGranted());
    }

    /// Takes the places of messages that are granted to their ends away; says whether there were any.
    private boolean retireGranted() {
        boolean isAny = false;
        for (int i = activeCount - 1; i >= 0; i--) {
            if (isGrantedToEnd(active[i].in)) {
                deactivate(active[i]);
                isAny = true;
            }
        }
        return isAny;
    }

    private static boolean isGrantedToEnd(IncomingMessage in) {
        return in.grantedOffset() == in.length();
    }

    private void recount(IncomingMessage in) {
        int incoming = Math.max(0, in.grantedOffset() - in.receivedBytes());
        totalIncoming += incoming - in.countedIncoming;
        in.countedIncoming = incoming;
    }

    private void place(Rpc rpc) {
        IncomingMessage in = rpc.in;
        if (in.grantedOffset() < in.length()) {
            oldest.put(rpc.slot, in.birth, rpc.slot);
        }
        if (in.isActive || (paper.isOn() && isGrantedToEnd(in))) {
            return;
        }
        Peer peer = rpc.peer();
        if (in.isWaiting) {
            peer.waiting = WaitingHeap.improved(waiting(peer), rpc);
            refresh(peer);
        } else if (activeCount < active.length && mayJoin(peer)) {
            activate(rpc);
            return;
        }
        Rpc victim = victim(rpc);
        if (victim != null) {
            deactivate(victim);
            if (in.isWaiting) {
                stopWaiting(rpc);
            }
            activate(rpc);
            startWaiting(victim);
        } else if (!in.isWaiting) {
            startWaiting(rpc);
        }
    }

    /// Says whether a free place may go to a message of this peer.
    private boolean mayJoin(Peer peer) {
        return !paper.isOn() || peer.activeGrants == 0;
    }

    /// Returns the active message that must make room for `newcomer`, or null: the worst of the peer with most
    /// active ones, if that peer has more than the newcomer's would, or if the newcomer outranks it.
    private @Nullable Rpc victim(Rpc newcomer) {
        if (activeCount < active.length && mayJoin(newcomer.peer())) {
            return null;
        }
        Rpc victim = null;
        int victimCount = 0;
        for (int i = 0; i < activeCount; i++) {
            Rpc candidate = active[i];
            int count = candidate.peer().activeGrants + (candidate.peer() == newcomer.peer() ? 1 : 0);
            if (victim == null
                    || count > victimCount
                    || (count == victimCount && WaitingHeap.outranks(victim, candidate))) {
                victim = candidate;
                victimCount = count;
            }
        }
        boolean yields = victim != null
                && (victimCount > newcomer.peer().activeGrants + 1 || WaitingHeap.outranks(newcomer, victim));
        return yields ? victim : null;
    }

    private void promote() {
        while (activeCount < active.length) {
            Rpc best = bestWaiting();
            if (best == null) {
                return;
            }
            stopWaiting(best);
            activate(best);
        }
    }

    private @Nullable Rpc bestWaiting() {
        int idle = idlePeers.first();
        if (idle != IndexedHeap.NONE) {
            return peers.at(idle).waiting;
        }
        if (paper.isOn()) {
            return null;
        }
        Rpc best = null;
        for (int i = 0; i < activeCount; i++) {
            Peer peer = active[i].peer();
            Rpc candidate = peer.waiting;
            if (candidate != null && (best == null || isServedBefore(candidate, best))) {
                best = candidate;
            }
        }
        return best;
    }

    /// Says whether `a` gets the free place before `b`: its peer has fewer active messages, or as many and it
    /// outranks `b`.
    private static boolean isServedBefore(Rpc a, Rpc b) {
        int left = a.peer().activeGrants;
        int right = b.peer().activeGrants;
        return left < right || (left == right && WaitingHeap.outranks(a, b));
    }

    private void activate(Rpc rpc) {
        active[activeCount++] = rpc;
        rpc.in.isActive = true;
        rpc.peer().activeGrants++;
        refresh(rpc.peer());
    }

    private void deactivate(Rpc rpc) {
        int at = 0;
        while (active[at] != rpc) {
            at++;
        }
        active[at] = active[--activeCount];
        rpc.in.isActive = false;
        rpc.peer().activeGrants--;
        refresh(rpc.peer());
    }

    private void startWaiting(Rpc rpc) {
        rpc.in.isWaiting = true;
        rpc.peer().waiting = WaitingHeap.add(rpc.peer().waiting, rpc);
        refresh(rpc.peer());
    }

    private void stopWaiting(Rpc rpc) {
        rpc.in.isWaiting = false;
        rpc.peer().waiting = WaitingHeap.remove(waiting(rpc.peer()), rpc);
        refresh(rpc.peer());
    }

    private static Rpc waiting(Peer peer) {
        Rpc root = peer.waiting;
        assert root != null;
        return root;
    }

    private void refresh(Peer peer) {
        Rpc best = peer.waiting;
        if (best == null || peer.activeGrants > 0) {
            idlePeers.remove(peer.index);
        } else {
            idlePeers.put(peer.index, best.in.remainingBytes(), best.in.birth);
        }
    }

    private void grantActive(boolean isMemoryLow, long nowNs) {
        sortActive();
        int window = config.windowBytes() != 0 ? config.windowBytes() : config.maxIncomingBytes() / (activeCount + 1);
        int granting = isMemoryLow ? Math.min(1, activeCount) : activeCount;
        if (isMemoryLow) {
            window = Math.min(window, lowMemoryWindowBytes);
        }
        boolean granted = false;
        for (int rank = 0; rank < granting; rank++) {
            Rpc rpc = active[rank];
            IncomingMessage in = rpc.in;
            long room = Math.min(config.maxIncomingBytes() - totalIncoming, in.length() - in.grantedOffset());
            int increase = (int) Math.min(room, in.receivedBytes() + (long) window - in.grantedOffset());
            if (increase > 0) {
                int priority = cutoffs.scheduledPriority(rank, activeCount);
                int ungranted = in.length() - in.grantedOffset();
                grant(rpc, increase, paper.grantPriority(priority, ungranted), nowNs);
                granted = true;
            }
        }
        if (granted && !isMemoryLow && fifoIntervalNs != Long.MAX_VALUE) {
            grantOldest(window, nowNs);
        }
    }

    /// Insertion sort: at most eight, and nearly in order from the last round.
    private void sortActive() {
        for (int i = 1; i < activeCount; i++) {
            Rpc rpc = active[i];
            int at = i;
            while (at > 0 && WaitingHeap.outranks(rpc, active[at - 1])) {
                active[at] = active[at - 1];
                at--;
            }
            active[at] = rpc;
        }
    }

    private void grant(Rpc rpc, int increase, int priority, long nowNs) {
        IncomingMessage in = rpc.in;
        if (in.receivedBytes() >= in.grantedOffset()) {
            // Nothing was owed until now: the silence that matters begins here.
            rpc.progress(nowNs);
            early.watch(rpc, nowNs);
        }
        if (in.grantPriority < 0) {
            in.grantSentNs = nowNs;
            in.firstGrantFrom = in.grantedOffset();
        }
        in.grantedOffset(in.grantedOffset() + increase);
        in.grantPriority = priority;
        recount(in);
        if (in.grantedOffset() == in.length()) {
            oldest.remove(rpc.slot);
        }
        control.grant(rpc, in.grantedOffset(), priority);
    }

    /// Gives the oldest message its share, whatever the limits. One that holds much unused permission is passed
    /// over until data comes.
    private void grantOldest(int window, long nowNs) {
        if (nextFifoNs == Long.MIN_VALUE) {
            nextFifoNs = nowNs + fifoIntervalNs;
        }
        if (nowNs < nextFifoNs) {
            return;
        }
        nextFifoNs = nowNs + fifoIntervalNs;
        int slot = oldest.first();
        while (slot != IndexedHeap.NONE) {
            Rpc rpc = rpcs.at(slot);
            IncomingMessage in = rpc.in;
            if (in.countedIncoming < window + 2L * config.fifoIncrementBytes()) {
                int increase = Math.min(config.fifoIncrementBytes(), in.length() - in.grantedOffset());
                grant(rpc, increase, fifoPriority, nowNs);
                return;
            }
            oldest.remove(slot);
            slot = oldest.first();
        }
    }
}
