package io.homa.bench;

import io.homa.bench.load.Flow;
import io.homa.bench.load.Load;
import io.homa.bench.load.Load.Kind;
import io.homa.bench.peer.Peer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The suites by name.
final class Suites {
    private static final int MTU = 1_500;
    private static final int JUMBO_MTU = 9_000;
    private static final int WARM_UP_MS = 30;

    private static final int MANY_OUTSTANDING = 128;
    private static final int BULK_BYTES = 1_000_000;
    private static final int BULK_OUTSTANDING = 4;
    private static final int PROBES_PER_SECOND = 10_000;
    private static final int MOST_PROBES = 1_024;
    private static final int MEMORY_OUTSTANDING = 16;

    private Suites() {}

    /// Returns every suite.
    ///
    /// @param measureMs time of a measurement
    /// @param perSecond round trips per second by the clock in suite `rtt`; 0 for one after the other
    static List<Suite> all(int measureMs, double perSecond) {
        return List.of(
                roundTrips(measureMs, perSecond),
                rates(measureMs),
                streams(measureMs),
                mixed(measureMs),
                memory(measureMs),
                scale(measureMs));
    }

    /// Returns these and the other transports.
    private static List<Peer> with(Peer... first) {
        List<Peer> all = new ArrayList<>(List.of(first));
        all.addAll(List.of(Peer.NETTY, Peer.NETTY_QUIC, Peer.GRPC, Peer.AERON_UDP, Peer.AERON_IPC));
        return all;
    }

    private static Suite roundTrips(int measureMs, double perSecond) {
        List<Case> cases = new ArrayList<>();
        for (int size : new int[] {8, 100, 1_000, 10_000}) {
            Flow flow = Flow.echo(size, 1);
            cases.add(new Case(
                    size + " B",
                    MTU,
                    Load.of(
                            Kind.ROUND_TRIPS,
                            perSecond == 0 ? flow : flow.at(perSecond, MOST_PROBES),
                            WARM_UP_MS,
                            measureMs)));
        }
        return new Suite(
                "rtt",
                "round trips, " + (perSecond == 0 ? "one outstanding" : perSecond + " per second by the clock"),
                with(
                        Peer.RAW_C,
                        Peer.RAW_JAVA,
                        Peer.HOMA,
                        Peer.HOMA_POLLED,
                        Peer.HOMA_ASYNC,
                        Peer.TCP,
                        Peer.TCP_BLOCKING),
                cases,
                Set.of(),
                Bars.roundTrips("100 B"));
    }

    private static Suite rates(int measureMs) {
        List<Case> cases = new ArrayList<>();
        for (int size : new int[] {8, 32, 100}) {
            cases.add(new Case(
                    size + " B", MTU, Load.of(Kind.RATE, Flow.echo(size, MANY_OUTSTANDING), WARM_UP_MS, measureMs)));
        }
        return new Suite(
                "rate",
                "small RPCs per second and core, " + MANY_OUTSTANDING + " outstanding",
                with(Peer.RAW_C, Peer.RAW_JAVA, Peer.HOMA, Peer.TCP),
                cases,
                Set.of(),
                Bars.rates("32 B"));
    }

    private static Suite streams(int measureMs) {
        List<Case> cases = new ArrayList<>();
        List<Bar> bars = new ArrayList<>();
        for (int mtu : new int[] {MTU, JUMBO_MTU}) {
            for (int size : new int[] {60_000, 500_000, 1_000_000}) {
                // Four to sixteen, about a megabyte or more on its way.
                Flow flow = Flow.bulk(size, Math.max(BULK_OUTSTANDING, 960_000 / size));
                String message = size / 1_000 + " KB";
                Case of = new Case(message + " MTU " + mtu, mtu, Load.of(Kind.STREAM, flow, WARM_UP_MS, measureMs));
                cases.add(of);
                if (size != 500_000) {
                    bars.addAll(Bars.streams(of.name(), message, size, mtu, Peer.TCP_VETH));
                }
            }
        }
        return new Suite(
                "stream",
                "request bits per second and core; every byte written by one side and read by the other",
                with(Peer.RAW_C, Peer.RAW_JAVA, Peer.HOMA, Peer.TCP, Peer.TCP_VETH),
                cases,
                Set.of(),
                bars);
    }

    private static Suite mixed(int measureMs) {
        Flow probes = Flow.echo(8, 1).at(PROBES_PER_SECOND, MOST_PROBES);
        Flow bulk = Flow.bulk(BULK_BYTES, BULK_OUTSTANDING);
        int longer = 2 * measureMs;
        List<Case> cases = List.of(
                new Case("idle", MTU, Load.of(Kind.MIXED, probes, WARM_UP_MS, longer)),
                new Case("bulk", MTU, Load.of(Kind.STREAM, bulk, WARM_UP_MS, measureMs)),
                new Case("both", MTU, new Load(Kind.MIXED, List.of(probes, bulk), 1, WARM_UP_MS, longer)));
        return new Suite(
                "mixed",
                "8 B RPCs, 10,000 per second by the clock, beside 1 MB requests to the same server",
                with(Peer.RAW_C, Peer.RAW_JAVA, Peer.HOMA, Peer.TCP),
                cases,
                Set.of(Peer.RAW_C, Peer.RAW_JAVA),
                Bars.mixed("idle", "bulk", "both", BULK_BYTES));
    }

    private static Suite memory(int measureMs) {
        Case of = new Case("100 B", MTU, Load.of(Kind.RATE, Flow.echo(100, MEMORY_OUTSTANDING), WARM_UP_MS, measureMs));
        return new Suite(
                "memory",
                "heap that both processes together allocate for an RPC of 100 B, " + MEMORY_OUTSTANDING
                        + " outstanding",
                List.of(Peer.HOMA, Peer.HOMA_POLLED, Peer.HOMA_ASYNC, Peer.TCP),
                List.of(of),
                Set.of(),
                List.of(
                        Bars.heap("heap per RPC, inline", 0.5, Peer.HOMA, of.name()),
                        Bars.heap("heap per RPC, polled", 0.5, Peer.HOMA_POLLED, of.name()),
                        Bars.heap("heap per RPC, CompletableFuture", 64, Peer.HOMA_ASYNC, of.name())));
    }

    private static Suite scale(int measureMs) {
        List<Case> cases = new ArrayList<>();
        for (int peers : new int[] {1, 10, 100, 1_000, 10_000}) {
            String name = (peers == 1 ? "idle " : "") + peers + " peers";
            cases.add(new Case(
                    name, MTU, new Load(Kind.ROUND_TRIPS, List.of(Flow.echo(100, 1)), peers, WARM_UP_MS, measureMs)));
        }
        return new Suite(
                "scale",
                "100 B round trips to 1 to 10,000 hosts in turn, one outstanding",
                List.of(Peer.RAW_C, Peer.RAW_JAVA, Peer.HOMA_SCALE),
                cases,
                Set.of(Peer.RAW_C, Peer.RAW_JAVA),
                List.of(Bars.manyPeers(cases.getLast().name(), cases.getFirst().name())));
    }
}
