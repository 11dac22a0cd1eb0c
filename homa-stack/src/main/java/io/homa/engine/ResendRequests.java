package io.homa.engine;

import io.homa.memory.HotPath;
import io.homa.wire.ResendHeader;

/// Asks a peer for what is missing: a gap, the end of a message, or a whole response (protocol reference 2.7). Says
/// nothing about when. Engine thread only.
@HotPath
final class ResendRequests {
    /// Bytes asked for when nothing of a response came and the peer may be one that does not understand
    /// "everything" (6.10.6).
    private static final int PROBE_BYTES = 100;

    private final GapPool gaps;
    private final ControlPackets control;
    private final int priority;

    ResendRequests(GapPool gaps, ControlPackets control, int priorities) {
        this.gaps = gaps;
        this.control = control;
        priority = priorities - 1;
    }

    void gap(Rpc rpc, int gap, long nowNs) {
        control.resend(rpc, gaps.start(gap), gaps.end(gap) - gaps.start(gap), priority);
        gaps.requested(gap, nowNs);
    }

    /// Asks for up to `bytes` of what is granted and lies behind the last byte received.
    void end(Rpc rpc, int bytes) {
        IncomingMessage in = rpc.in;
        control.resend(rpc, in.receivedEnd(), Math.min(bytes, in.grantedOffset() - in.receivedEnd()), priority);
    }

    /// Asks for a response of which nothing came, for the time `round` (from 0 on).
    void response(Rpc rpc, int round) {
        boolean asksForAll = rpc.peer().understandsEverything || (round & 1) == 0;
        control.resend(rpc, 0, asksForAll ? ResendHeader.EVERYTHING : PROBE_BYTES, priority);
    }
}
