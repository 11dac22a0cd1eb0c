package io.homa.engine;

import io.homa.memory.HotPath;

/// Asks for lost packets after about a round trip, where the kernel module waits for five milliseconds of silence
/// (protocol reference 8.1 to 8.4).
///
/// * A **gap** is asked for once, when it has stayed open for longer than packets overtake each other on this path,
///   and again only if the answer does not come.
/// * A **missing end** first gets its GRANT again, which may be what was lost, then a RESEND of a few packets, then
///   one of everything. Time in which better messages keep the downlink busy does not count as silence.
/// * A **response** of which nothing came is asked for when nearly all earlier ones of that host had begun.
///
/// Every question needs the peer's [ResendBudget]; repeated ones back off with jitter. What this class misses, the
/// module's rules of [LossRecovery] still find. Engine thread only.
@HotPath
final class EarlyRecovery {
    /// Answer of [#run] when there is nothing to wait for.
    static final long NEVER = Long.MAX_VALUE;

    /// A pause of this host after which silence counts anew: what came meanwhile has not been looked at.
    static final long PAUSE_NS = 50_000;

    private static final int MAX_RANGES_PER_ROUND = 32;
    private static final int MAX_BACK_OFF_SHIFT = 6;
    /// Bytes of a missing end asked for at first: a few packets, which show whether the rest is lost as well.
    private static final int FIRST_END_BYTES = 5_696;

    private final boolean isOn;
    private final TimerWheel timers;
    private final GapPool gaps;
    private final ControlPackets control;
    private final ResendRequests requests;
    private final ArrivalClock arrivals;
    private final PriorityCutoffs cutoffs;
    private final long longestNs;
    private long attendedSinceNs = Long.MIN_VALUE / 2;

    EarlyRecovery(EngineParts parts) {
        isOn = parts.config.features().earlyRecovery();
        timers = parts.timers;
        gaps = parts.gaps;
        control = parts.control;
        requests = parts.requests;
        arrivals = parts.arrivals;
        cutoffs = parts.cutoffs;
        TimerConfig times = parts.config.timers();
        longestNs = times.resendIntervalTicks() * times.tickNs();
    }

    boolean isOn() {
        return isOn;
    }

    /// This host did not run for a while.
    void onResume(long nowNs) {
        attendedSinceNs = nowNs;
    }

    /// Bytes of `rpc` may be expected from now on: a message has begun, or more of it was granted.
    void watch(Rpc rpc, long nowNs) {
        if (isOn) {
            timers.armBy(rpc.slot, nowNs + rpc.peer().path.retryNs());
        }
    }

    /// The request of `rpc` has left.
    void watchResponse(Rpc rpc, long nowNs) {
        long responseNs = rpc.peer().path.responseNs();
        if (isOn && responseNs != 0) {
            timers.armBy(rpc.slot, nowNs + responseNs);
        }
    }

    /// New data came: learns from it about the path, and watches a gap that it may have left.
    ///
    /// @param isRetransmission whether it was sent because somebody asked
    void onData(Rpc rpc, int offset, boolean isRetransmission, long nowNs) {
        IncomingMessage in = rpc.in;
        PathEstimate path = rpc.peer().path;
        rpc.probes = 0;
        int gap = in.takeFilledGap();
        if (gap != GapPool.NONE) {
            onFilled(gap, rpc.peer(), isRetransmission, nowNs);
        } else if (in.takeNewGap()) {
            if (isOn) {
                timers.armBy(rpc.slot, nowNs + path.reorderWindowNs());
            }
        }
        if (in.grantSentNs != 0 && offset >= in.firstGrantFrom) {
            if (!isRetransmission) {
                path.measured(nowNs - in.grantSentNs);
            }
            in.grantSentNs = 0;
        }
    }

    /// A gap was filled, wholly or in part; its figures are still in the pool.
    private void onFilled(int gap, Peer peer, boolean isRetransmission, long nowNs) {
        int times = gaps.requests(gap);
        if (times == 0 || !isRetransmission) {
            peer.path.reordered(nowNs - gaps.sinceNs(gap));
        } else {
            peer.path.lost();
            peer.resendBudget.answered();
            if (times == 1) {
                peer.path.measured(nowNs - gaps.requestedNs(gap));
            }
        }
    }

    /// Asks for what is due of `rpc`, and returns when to look again.
    long run(Rpc rpc, long nowNs) {
        if (!isOn) {
            return NEVER;
        }
        if (rpc.state == RpcState.INCOMING) {
            return Math.min(askForGaps(rpc, nowNs), askForEnd(rpc, nowNs));
        }
        return rpc.isClient && rpc.state == RpcState.OUTGOING ? askForResponse(rpc, nowNs) : NEVER;
    }

    private long askForGaps(Rpc rpc, long nowNs) {
        Peer peer = rpc.peer();
        long nextNs = NEVER;
        int asked = 0;
        for (int gap = rpc.in.firstGap(); gap != GapPool.NONE; gap = gaps.next(gap)) {
            long dueNs = dueNs(rpc, gap);
            if (dueNs <= nowNs) {
                if (asked == MAX_RANGES_PER_ROUND || !mayAsk(peer, nowNs)) {
                    return nowNs + peer.path.retryNs();
                }
                if (gaps.requests(gap) > 0) {
                    peer.resendBudget.unanswered();
                }
                requests.gap(rpc, gap, nowNs);
                asked++;
                dueNs = dueNs(rpc, gap);
            }
            nextNs = Math.min(nextNs, dueNs);
        }
        return nextNs;
    }

    private long dueNs(Rpc rpc, int gap) {
        PathEstimate path = rpc.peer().path;
        int times = gaps.requests(gap);
        return times == 0
                ? gaps.sinceNs(gap) + Math.min(path.reorderWindowNs(), longestNs)
                : gaps.requestedNs(gap) + backedOff(path.retryNs(), times - 1, rpc.id + gaps.start(gap));
    }

    /// Returns `ns` doubled `times` times, not beyond the module's interval, plus up to an eighth by chance.
    private long backedOff(long ns, int times, long salt) {
        long backedOff = Math.min(ns << Math.min(times, MAX_BACK_OFF_SHIFT), longestNs);
        return backedOff + (backedOff * (Hash.mix(salt + times) & 0x7F) >> 10);
    }

    private static boolean mayAsk(Peer peer, long nowNs) {
        return peer.resendBudget.take(peer.path.retryNs(), nowNs);
    }

    private long askForEnd(Rpc rpc, long nowNs) {
        IncomingMessage in = rpc.in;
        if (in.receivedEnd() >= in.grantedOffset()) {
            return NEVER;
        }
        boolean needsGrant = in.receivedEnd() >= in.unscheduledBytes() && in.grantPriority >= 0;
        int priority = needsGrant ? in.grantPriority : cutoffs.unscheduledPriority(in.length());
        Peer peer = rpc.peer();
        long retryNs = peer.path.retryNs();
        long sinceNs = Math.max(Math.max(rpc.lastProgressNs, attendedSinceNs), arrivals.lastAboveNs(priority));
        long dueNs = sinceNs + backedOff(retryNs, rpc.probes, rpc.id);
        if (nowNs < dueNs) {
            return dueNs;
        }
        if (!mayAsk(peer, nowNs)) {
            return nowNs + retryNs;
        }
        if (needsGrant && rpc.probes == 0) {
            control.grant(rpc, in.grantedOffset(), in.grantPriority);
        } else {
            requests.end(rpc, rpc.probes <= 1 ? FIRST_END_BYTES : Integer.MAX_VALUE);
        }
        if (rpc.probes > 0) {
            peer.resendBudget.unanswered();
        }
        rpc.probes++;
        return sinceNs + backedOff(retryNs, rpc.probes, rpc.id) + retryNs;
    }

    private long askForResponse(Rpc rpc, long nowNs) {
        Peer peer = rpc.peer();
        long responseNs = peer.path.responseNs();
        if (responseNs == 0 || !rpc.out.isSent()) {
            return NEVER;
        }
        long sinceNs = Math.max(Math.max(rpc.requestSentNs, rpc.lastProgressNs), attendedSinceNs);
        long dueNs = sinceNs + backedOff(responseNs, rpc.probes, rpc.id);
        if (nowNs < dueNs) {
            return dueNs;
        }
        if (!mayAsk(peer, nowNs)) {
            return nowNs + responseNs;
        }
        requests.response(rpc, rpc.probes);
        if (rpc.probes > 0) {
            peer.resendBudget.unanswered();
        }
        rpc.probes++;
        return sinceNs + backedOff(responseNs, rpc.probes, rpc.id);
    }
}
