package io.homa.bench;

import static io.homa.bench.Samples.goodput;
import static io.homa.bench.Samples.percentile;
import static io.homa.bench.Samples.rate;

import io.homa.bench.peer.Peer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// What this stack is expected to reach, as ratios in one run; absolute figures only where a speed was named.
final class Bars {
    /// Where the floor itself is slower than this, 30 Gbit/s are not expected.
    private static final double FLOOR_BPS = 45e9;

    private Bars() {}

    private static Bar ratio(
            String text,
            boolean isAtMost,
            double limit,
            Samples.Key of,
            ToDoubleFunction<Run> figureOf,
            Samples.Key to,
            ToDoubleFunction<Run> figureTo) {
        return new Bar(
                text,
                isAtMost,
                limit,
                "",
                samples -> samples.has(of.peer(), of.caseName()) && samples.has(to.peer(), to.caseName())
                        ? samples.ratio(of, figureOf, to, figureTo)
                        : null);
    }

    private static Bar ratio(
            String text, boolean isAtMost, double limit, Peer to, String caseName, ToDoubleFunction<Run> figure) {
        return ratio(
                text,
                isAtMost,
                limit,
                new Samples.Key(Peer.HOMA, caseName),
                figure,
                new Samples.Key(to, caseName),
                figure);
    }

    static List<Bar> roundTrips(String caseName) {
        return List.of(
                ratio("100 B round trip, p50 / raw-c", true, 2.0, Peer.RAW_C, caseName, percentile(0, 50)),
                ratio("100 B round trip, p99 / raw-c", true, 3.0, Peer.RAW_C, caseName, percentile(0, 99)),
                ratio("100 B round trip, p50 / tcp", true, 0.2, Peer.TCP, caseName, percentile(0, 50)),
                ratio("100 B round trip, p99 / tcp", true, 0.2, Peer.TCP, caseName, percentile(0, 99)));
    }

    static List<Bar> rates(String caseName) {
        return List.of(
                new Bar(
                        "32 B RPCs, one engine core per side",
                        false,
                        5.0,
                        "million RPC/s",
                        samples -> samples.has(Peer.HOMA, caseName)
                                ? samples.spread(Peer.HOMA, caseName, run -> rate(0).applyAsDouble(run) / 1e6)
                                : null),
                ratio("32 B RPCs per second / tcp", false, 10, Peer.TCP, caseName, rate(0)));
    }

    /// @param caseName case of a message size
    static List<Bar> streams(String caseName, String message, int bytes, int mtu, Peer vethTcp) {
        List<Bar> bars = new ArrayList<>();
        String what = message + " requests, MTU " + mtu + ", ";
        bars.add(ratio(what + "goodput / raw-c", false, 0.7, Peer.RAW_C, caseName, goodput(0, bytes)));
        if (mtu == 1_500) {
            bars.add(new Bar(
                    what + "goodput where raw-c reaches 45 Gbit/s",
                    false,
                    30,
                    "Gbit/s",
                    samples -> whereFloorIsFast(samples, caseName, goodput(0, bytes))));
            bars.add(ratio(what + "goodput / tcp-veth", false, 3.0, vethTcp, caseName, goodput(0, bytes)));
        }
        return bars;
    }

    private static Samples.@Nullable Spread whereFloorIsFast(
            Samples samples, String caseName, ToDoubleFunction<Run> figure) {
        if (!samples.has(Peer.RAW_C, caseName) || !samples.has(Peer.HOMA, caseName)) {
            return null;
        }
        boolean isFast = samples.spread(Peer.RAW_C, caseName, figure).median() >= FLOOR_BPS;
        return isFast ? samples.spread(Peer.HOMA, caseName, run -> figure.applyAsDouble(run) / 1e9) : null;
    }

    static List<Bar> mixed(String idle, String bulk, String both, int bulkBytes) {
        Samples.Key of = new Samples.Key(Peer.HOMA, both);
        return List.of(
                ratio(
                        "8 B round trip beside bulk, p99 / idle p99",
                        true,
                        2.0,
                        of,
                        percentile(0, 99),
                        new Samples.Key(Peer.HOMA, idle),
                        percentile(0, 99)),
                ratio(
                        "bulk goodput beside 8 B RPCs / alone",
                        false,
                        0.9,
                        of,
                        goodput(1, bulkBytes),
                        new Samples.Key(Peer.HOMA, bulk),
                        goodput(0, bulkBytes)));
    }

    /// Heap per RPC in client and server together.
    static Bar heap(String text, double limit, Peer peer, String caseName) {
        return new Bar(
                text,
                true,
                limit,
                "B",
                samples -> samples.has(peer, caseName) ? samples.spread(peer, caseName, Bars::heapPerRpc) : null);
    }

    /// Returns the bytes of heap that both processes allocated for each RPC.
    static double heapPerRpc(Run run) {
        long measured = Math.max(1, run.result().flows().getFirst().count());
        return (double) run.result().allocatedBytes() / measured
                + (double) run.serverAllocatedBytes() / Math.max(1, run.result().rpcs());
    }

    static Bar manyPeers(String many, String one) {
        return ratio(
                "round trip to 10,000 peers, p50 / one peer",
                true,
                1.2,
                new Samples.Key(Peer.HOMA_SCALE, many),
                percentile(0, 50),
                new Samples.Key(Peer.HOMA_SCALE, one),
                percentile(0, 50));
    }
}
