package io.homa.engine;

import io.homa.memory.HotPath;

/// What happens when an RPC hears nothing: RESEND, NEED_ACK, and giving up (protocol reference 4.5).
///
/// The times are the kernel's: RESEND after 5 ticks of silence and every 5 ticks, failure after 100; what may be
/// asked for before that says [EarlyRecovery]. An RPC's timer is armed for the earliest moment at which it may
/// have something to do and looks at the last progress
/// only then, so that data costs no timer work. Engine thread only.
@HotPath
final class LossRecovery {
    /// Ranges asked for in one round; what is left is asked for in the next.
    private static final int MAX_RANGES_PER_ROUND = 32;

    /// RESEND and NEED_ACK packets to one peer in one tick. An overloaded peer is not helped by a question for
    /// each of thousands of RPCs; those that find the budget spent ask in a later tick.
    private static final int QUESTIONS_PER_TICK = 16;

    /// A pause of this host for more than this part of the timeout is long.
    private static final int LONG_PAUSE_SHARE = 4;

    /// Timeouts for which memory that stays low excuses every silence. After that the RPCs that hold it may be the
    /// reason: if their peers are dead, only giving up makes room.
    private static final int LOW_MEMORY_TIMEOUTS = 5;

    /// Timeouts without a word from the host of a client after which a response that it does not grant is given up.
    private static final int UNGRANTED_TIMEOUTS = 5;

    private static final long NOT_LOW = Long.MAX_VALUE;

    private final TimerWheel timers;
    private final RpcTable rpcs;
    private final GapPool gaps;
    private final ControlPackets control;
    private final ResendRequests requests;
    private final EarlyRecovery early;
    private final RpcLifecycle lifecycle;
    private final long tickNs;
    private final long resendNs;
    private final long intervalNs;
    private final long timeoutNs;
    /// Questions that go unanswered within the timeout. A peer that is alive, as other packets show, gets all of
    /// them before an RPC fails, however long the budget stretches them.
    private final int timeoutRounds;
    private final long needAckNs;
    private final int needAckLimit;
    /// When this host last went on after a long pause; silence before that says nothing about the peers.
    private long resumedNs = Long.MIN_VALUE / 2;
    /// When this host last went on after a pause of any length that matters.
    private long attendedSinceNs = Long.MIN_VALUE / 2;
    /// Since when memory has been low, as far as was looked at.
    private long memoryLowSinceNs = NOT_LOW;

    LossRecovery(EngineParts parts) {
        timers = parts.timers;
        rpcs = parts.rpcs;
        gaps = parts.gaps;
        control = parts.control;
        lifecycle = parts.lifecycle;
        requests = parts.requests;
        early = parts.early;
        TimerConfig times = parts.config.timers();
        tickNs = times.tickNs();
        resendNs = times.resendTicks() * tickNs;
        intervalNs = times.resendIntervalTicks() * tickNs;
        timeoutNs = times.timeoutNs();
        timeoutRounds = (times.timeoutTicks() - times.resendTicks()) / times.resendIntervalTicks();
        needAckNs = times.needAckTicks() * tickNs;
        needAckLimit = times.needAckLimit();
    }

    /// Starts watching an RPC that waits for its peer.
    void watch(Rpc rpc, long nowNs) {
        timers.arm(rpc.slot, nowNs + resendNs);
    }

    /// Returns the silence after which the kernel module asks.
    long resendNs() {
        return resendNs;
    }

    /// Starts watching whether a response that needs grants gets them.
    void awaitGrants(Rpc rpc, long nowNs) {
        timers.arm(rpc.slot, nowNs + timeoutNs);
    }

    /// Starts asking for the acknowledgement of a response that has left completely.
    void awaitAck(Rpc rpc, long nowNs) {
        timers.arm(rpc.slot, nowNs + needAckNs);
    }

    /// Handles every deadline that has passed. While memory is low nothing can be received, so nobody is asked or
    /// blamed, unless it stays low for long.
    void onTick(boolean isMemoryLow, long nowNs) {
        if (!isMemoryLow) {
            memoryLowSinceNs = NOT_LOW;
        } else if (memoryLowSinceNs == NOT_LOW) {
            memoryLowSinceNs = nowNs;
        }
        boolean isExcused = isMemoryLow && nowNs - memoryLowSinceNs < LOW_MEMORY_TIMEOUTS * timeoutNs;
        for (int slot = timers.pollExpired(nowNs); slot >= 0; slot = timers.pollExpired(nowNs)) {
            Rpc rpc = rpcs.at(slot);
            switch (rpc.state) {
                case OUTGOING -> {
                    if (rpc.isClient) {
                        onWaiting(rpc, isExcused, nowNs);
                    } else {
                        onUnacknowledged(rpc, nowNs);
                    }
                }
                case INCOMING -> onWaiting(rpc, isExcused, nowNs);
                case IN_SERVICE, FREE -> {}
            }
        }
    }

    private void onWaiting(Rpc rpc, boolean isExcused, long nowNs) {
        long handle = rpc.handle();
        long earlyNs = isExcused ? EarlyRecovery.NEVER : early.run(rpc, nowNs);
        onSilence(rpc, isExcused, nowNs);
        boolean isAlive = rpc.state != RpcState.FREE && rpc.handle() == handle;
        if (isAlive && earlyNs != EarlyRecovery.NEVER) {
            timers.armBy(rpc.slot, Math.max(earlyNs, nowNs + 1));
        }
    }

    /// Returns the pause of this host from which on [#onResume] has to be told, in nanoseconds.
    long pauseNs() {
        return early.isOn() ? Math.min(EarlyRecovery.PAUSE_NS, resendNs) : resendNs;
    }

    /// This host did not run for `pauseNs`. What has arrived meanwhile is looked at before anybody is asked
    /// again, and after a long pause every peer gets all its time anew.
    void onResume(long pauseNs, long nowNs) {
        early.onResume(nowNs);
        if (pauseNs >= resendNs) {
            attendedSinceNs = nowNs;
        }
        if (pauseNs >= timeoutNs / LONG_PAUSE_SHARE) {
            resumedNs = nowNs;
        }
    }

    private void onSilence(Rpc rpc, boolean isExcused, long nowNs) {
        if (rpc.lastProgressNs < resumedNs) {
            rpc.progress(resumedNs);
        }
        if (isExcused || !isPeerDue(rpc)) {
            rpc.progress(nowNs);
            timers.arm(rpc.slot, nowNs + resendNs);
            return;
        }
        long silenceNs = nowNs - rpc.lastProgressNs;
        if (silenceNs >= timeoutNs && (isSilent(rpc.peer(), nowNs) || rpc.resendRounds >= timeoutRounds)) {
            if (rpc.isClient) {
                lifecycle.fail(rpc, RpcError.TIMED_OUT);
            } else {
                lifecycle.discardServer(rpc, nowNs);
            }
            return;
        }
        long dueNs = resendNs + rpc.resendRounds * intervalNs;
        if (silenceNs >= dueNs) {
            long attendedNs = nowNs - attendedSinceNs;
            if (attendedNs < resendNs || !hasBudget(rpc.peer(), nowNs)) {
                timers.arm(rpc.slot, nowNs + tickNs);
                return;
            }
            request(rpc, nowNs);
            rpc.resendRounds++;
            dueNs = Math.max(resendNs + rpc.resendRounds * intervalNs, silenceNs + tickNs);
        }
        timers.arm(rpc.slot, rpc.lastProgressNs + (silenceNs < timeoutNs ? Math.min(dueNs, timeoutNs) : dueNs));
    }

    /// Says whether nothing at all has come from a host for the time that makes an RPC fail.
    private boolean isSilent(Peer peer, long nowNs) {
        return nowNs - Math.max(peer.lastHeardNs, resumedNs) >= timeoutNs;
    }

    /// Says whether another question to the peer may leave in this tick.
    private boolean hasBudget(Peer peer, long nowNs) {
        if (nowNs - peer.questionsSinceNs >= tickNs) {
            peer.questionsSinceNs = nowNs;
            peer.questions = 0;
        }
        return peer.questions < QUESTIONS_PER_TICK;
    }

    /// Says whether it is the peer's turn: it owes data that it may send, or an answer to a request that has left
    /// as far as granted.
    private static boolean isPeerDue(Rpc rpc) {
        return rpc.state == RpcState.INCOMING
                ? rpc.in.receivedBytes() < rpc.in.grantedOffset()
                : rpc.out.sentOffset() >= rpc.out.grantedOffset();
    }

    /// The server asks for an acknowledgement although something is missing: time to ask, unless it is still
    /// arriving.
    void onNeedAck(Rpc rpc, long nowNs) {
        if (nowNs - rpc.lastProgressNs >= tickNs) {
            request(rpc, nowNs);
        }
    }

    /// Asks for everything that should have come by now: each gap in offset order, then the missing end.
    void request(Rpc rpc, long nowNs) {
        if (rpc.state == RpcState.OUTGOING) {
            requests.response(rpc, rpc.resendRounds);
            rpc.peer().questions++;
            return;
        }
        IncomingMessage in = rpc.in;
        int ranges = 0;
        for (int gap = in.firstGap(); gap != GapPool.NONE && ranges < MAX_RANGES_PER_ROUND; gap = gaps.next(gap)) {
            requests.gap(rpc, gap, nowNs);
            ranges++;
        }
        if (in.grantedOffset() > in.receivedEnd() && ranges < MAX_RANGES_PER_ROUND) {
            requests.end(rpc, Integer.MAX_VALUE);
            ranges++;
        }
        rpc.peer().questions += ranges;
    }

    /// Asks the client for its acknowledgement, at growing intervals, and gives up when it must have ended the
    /// RPC long ago.
    private void onUnacknowledged(Rpc rpc, long nowNs) {
        if (!rpc.out.isSent()) {
            onUngranted(rpc, nowNs);
            return;
        }
        if (rpc.needAcks >= needAckLimit) {
            lifecycle.giveUpResponse(rpc, nowNs);
            return;
        }
        if (!hasBudget(rpc.peer(), nowNs)) {
            timers.arm(rpc.slot, nowNs + tickNs);
            return;
        }
        control.needAck(rpc);
        rpc.peer().questions++;
        rpc.needAcks++;
        long backOffNs = Math.min(needAckNs << Math.min(rpc.needAcks - 1, 30), timeoutNs * 2 / 3);
        timers.arm(rpc.slot, nowNs + Math.max(backOffNs, tickNs));
    }

    /// The client of a response that needs grants may rightly be silent for long, while it grants others. If it has
    /// forgotten the RPC, NEED_ACK makes it say so; if nothing at all comes from its host any more, it is gone.
    private void onUngranted(Rpc rpc, long nowNs) {
        long silenceNs = nowNs - Math.max(rpc.lastProgressNs, resumedNs);
        if (isPeerDue(rpc) && silenceNs >= timeoutNs) {
            long hostSilenceNs = nowNs - Math.max(rpc.peer().lastHeardNs, resumedNs);
            if (Math.min(silenceNs, hostSilenceNs) >= UNGRANTED_TIMEOUTS * timeoutNs) {
                lifecycle.giveUpResponse(rpc, nowNs);
                return;
            }
            if (hasBudget(rpc.peer(), nowNs)) {
                control.needAck(rpc);
                rpc.peer().questions++;
            }
        }
        timers.arm(rpc.slot, nowNs + timeoutNs);
    }
}
