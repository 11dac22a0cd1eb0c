package io.homa.engine;

import io.homa.memory.HotPath;

/// How many bytes of a message leave without a grant, for each peer; the kernel module sends everybody
/// `unsched_bytes`.
///
/// What is configured is for an ordinary host. To one further away the link would stand still until the first grant
/// comes, so the limit is what the link carries in the measured round trip, up to [#MOST_TIMES] the configured bytes.
/// To one whose way drops unscheduled packets the limit is halved, at most once in a round trip, and grows again by a
/// packet with each answer, as congestion windows do (RFC 5681, section 3.1). It is never less than a packet, and
/// always ends where a packet ends. Engine thread only.
@HotPath
final class UnscheduledLimits {
    /// Most that a distant peer gets, in multiples of the configured bytes.
    static final int MOST_TIMES = 2;

    /// Longest round trip that is believed: what lies beyond is an application that takes its time.
    private static final long LONGEST_RTT_NS = 1_000_000;

    private static final long BITS_PER_BYTE_AND_NS_PER_SECOND = 8_000_000_000L;

    private final boolean isOn;
    private final int configuredBytes;
    private final long linkBitsPerSecond;
    private final EngineParts parts;

    UnscheduledLimits(EngineParts parts) {
        this.parts = parts;
        isOn = parts.config.features().unscheduledLimits();
        configuredBytes = parts.config.unscheduledBytes();
        linkBitsPerSecond = parts.config.linkBitsPerSecond();
    }

    /// Returns the unscheduled bytes of the message that `rpc` is about to send.
    int of(Rpc rpc) {
        Peer peer = rpc.peer();
        Segmentation cut = parts.segmentation(peer.addressHigh(), peer.addressLow());
        if (!rpc.isClient && rpc.wantsShortStart) {
            return cut.segmentLength(0, configuredBytes);
        }
        if (!isOn) {
            return configuredBytes;
        }
        int most = mostBytes(peer);
        int limit = Math.min(peer.unscheduledLimit == 0 ? most : peer.unscheduledLimit, most);
        return Math.max(cut.segmentStart(limit), cut.segmentLength(0, configuredBytes));
    }

    private int mostBytes(Peer peer) {
        long rttNs = Math.min(peer.path.shortestNs(), LONGEST_RTT_NS);
        long inRoundTrip = rttNs * linkBitsPerSecond / BITS_PER_BYTE_AND_NS_PER_SECOND;
        return (int) Math.clamp(inRoundTrip, configuredBytes, (long) MOST_TIMES * configuredBytes);
    }

    /// The peer asks again for `[start, …)` of the message that `rpc` sends.
    void onResend(Rpc rpc, int start, long nowNs) {
        Peer peer = rpc.peer();
        if (isOn && start < rpc.out.unscheduledBytes() && nowNs >= peer.unscheduledCutNs + peer.path.retryNs()) {
            peer.unscheduledCutNs = nowNs;
            peer.unscheduledLimit = Math.max(of(rpc) / 2, 1);
        }
    }

    /// The peer answered what was sent unasked: with a grant, or with a response.
    void onAnswer(Peer peer) {
        if (peer.unscheduledLimit != 0) {
            int more = peer.unscheduledLimit
                    + parts.segmentation(peer.addressHigh(), peer.addressLow()).maxPayload();
            peer.unscheduledLimit = more >= mostBytes(peer) ? 0 : more;
        }
    }
}
