package io.homa.bench;

import io.homa.bench.load.Flow;
import io.homa.bench.load.FlowResult;
import io.homa.bench.load.Load;
import io.homa.bench.load.LoadResult;
import io.homa.bench.load.Stalls;
import io.homa.bench.peer.Peer;
import io.homa.scenario.IntegrityCount;
import io.homa.scenario.Measurement;
import io.homa.scenario.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.HdrHistogram.Histogram;

/// The figures of a suite that has run.
///
/// @param suite what ran
/// @param samples what its rounds gave
/// @param absent contenders that did not take part to the end, and why
/// @param distancesNs distance of the CPUs before each turn
record SuiteResult(Suite suite, Samples samples, Map<Peer, String> absent, List<Long> distancesNs) {
    /// Metric of heap that an RPC takes.
    static final String HEAP_BYTES_PER_RPC = "heap_bytes_per_rpc";

    private static final Peer[] REFERENCES = {Peer.RAW_C, Peer.TCP};

    private record Measured(Peer peer, Case of) {}

    private List<Measured> measured() {
        List<Measured> all = new ArrayList<>();
        for (Case of : suite.cases()) {
            for (Peer peer : suite.peers()) {
                if (samples.has(peer, of.name())) {
                    all.add(new Measured(peer, of));
                }
            }
        }
        return all;
    }

    /// Returns the figures, case by case.
    List<Measurement> measurements() {
        List<Measurement> all = new ArrayList<>();
        for (Measured m : measured()) {
            Load load = m.of().load();
            for (int flow = 0; flow < load.flows().size(); flow++) {
                addFlow(all, m, flow);
            }
            if (suite.name().equals("memory")) {
                double heap = samples.spread(m.peer(), m.of().name(), Bars::heapPerRpc)
                        .median();
                all.add(Measurement.value(
                        m.peer().label(),
                        HEAP_BYTES_PER_RPC,
                        load.flow().requestBytes(),
                        load.flow().outstanding(),
                        heap));
            }
        }
        return all;
    }

    private void addFlow(List<Measurement> all, Measured m, int index) {
        Flow flow = m.of().load().flows().get(index);
        Integer mtu = suite.name().equals("stream") ? m.of().mtu() : null;
        Integer peers = suite.name().equals("scale") ? m.of().load().peers() : null;
        String name = m.of().name().startsWith("idle") && suite.name().equals("mixed")
                ? m.peer().label() + "-idle"
                : m.peer().label();
        Histogram times = samples.times(m.peer(), m.of().name(), index);
        boolean isStream = flow.requestBytes() != flow.responseBytes();
        boolean isRate = m.of().load().kind() == Load.Kind.RATE;
        if (times.getTotalCount() > 0 && !isStream && !isRate) {
            all.add(Measurement.rtt(name, flow.requestBytes(), flow.outstanding(), times)
                    .with(mtu, peers));
        }
        if (isStream) {
            double goodput = samples.spread(m.peer(), m.of().name(), Samples.goodput(index, flow.requestBytes()))
                    .median();
            String streamName = m.of().load().flows().size() > 1 ? name + "-mixed" : name;
            all.add(Measurement.value(
                            streamName, Measurement.GOODPUT_BPS, flow.requestBytes(), flow.outstanding(), goodput)
                    .with(mtu, peers));
        }
        if (isRate) {
            double rate =
                    samples.spread(m.peer(), m.of().name(), Samples.rate(index)).median();
            all.add(Measurement.value(name, Measurement.RPC_PER_S, flow.requestBytes(), flow.outstanding(), rate)
                    .with(mtu, peers));
        }
    }

    /// Returns every contender divided by the floor and by kernel TCP, in the same case.
    List<RunResult.Ratio> ratios() {
        List<RunResult.Ratio> all = new ArrayList<>();
        for (Measured m : measured()) {
            for (Peer reference : REFERENCES) {
                if (m.peer() != reference && samples.has(reference, m.of().name())) {
                    all.add(ratio(m, reference));
                }
            }
        }
        return all;
    }

    private RunResult.Ratio ratio(Measured m, Peer reference) {
        Load load = m.of().load();
        int size = load.flow().requestBytes();
        Integer mtu = suite.name().equals("stream") ? m.of().mtu() : null;
        Samples.Key of = new Samples.Key(m.peer(), m.of().name());
        Samples.Key to = new Samples.Key(reference, m.of().name());
        boolean isRate = load.kind() == Load.Kind.RATE || load.kind() == Load.Kind.STREAM;
        if (isRate) {
            Samples.Spread spread = samples.ratio(of, Samples.rate(0), to, Samples.rate(0));
            String metric = load.kind() == Load.Kind.RATE ? Measurement.RPC_PER_S : Measurement.GOODPUT_BPS;
            return new RunResult.Ratio(
                    metric,
                    m.peer().label(),
                    reference.label(),
                    size,
                    mtu,
                    null,
                    null,
                    spread.median(),
                    spread.min(),
                    spread.max());
        }
        Samples.Spread p50 = samples.ratio(of, Samples.percentile(0, 50), to, Samples.percentile(0, 50));
        Samples.Spread p99 = samples.ratio(of, Samples.percentile(0, 99), to, Samples.percentile(0, 99));
        return new RunResult.Ratio(
                Measurement.RTT_NS,
                m.peer().label(),
                reference.label(),
                size,
                mtu,
                p50.median(),
                p99.median(),
                null,
                p50.min(),
                p50.max());
    }

    /// Returns how the bars came out.
    List<Bar.Outcome> outcomes() {
        return suite.bars().stream()
                .map(bar -> bar.judge(suite.name(), samples))
                .filter(Objects::nonNull)
                .toList();
    }

    /// Returns why figures may not be used, one line for each contender and case.
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        absent.forEach((peer, why) -> problems.add(suite.name() + ": " + peer.label() + " is left out: " + why));
        for (Measured m : measured()) {
            long missed = 0;
            long lost = 0;
            long corrupt = 0;
            long largestDelayNs = 0;
            for (FlowResult flow : flows(m)) {
                missed += flow.isMissed() ? 1 : 0;
                lost += flow.lost();
                corrupt += flow.corrupt();
                largestDelayNs = Math.max(largestDelayNs, flow.largestDelayNs());
            }
            String who = suite.name() + ", " + m.of().name() + ", " + m.peer().label() + ": ";
            if (missed > 0) {
                problems.add(who + "the schedule was missed in " + missed + " rounds, by up to "
                        + largestDelayNs / 1_000 + " us: these figures describe another load");
            }
            if (lost + corrupt > 0) {
                problems.add(who + lost + " requests lost, " + corrupt + " messages corrupt");
            }
        }
        return problems;
    }

    private List<FlowResult> flows(Measured m) {
        return samples.of(m.peer(), m.of().name()).stream()
                .flatMap(run -> run.result().flows().stream())
                .toList();
    }

    /// Returns the checks of all messages.
    IntegrityCount integrity() {
        IntegrityCount all = IntegrityCount.NONE;
        for (Measured m : measured()) {
            List<Flow> flows = m.of().load().flows();
            for (Run run : samples.of(m.peer(), m.of().name())) {
                for (int i = 0; i < flows.size(); i++) {
                    FlowResult result = run.result().flows().get(i);
                    long bytes =
                            (long) flows.get(i).requestBytes() + flows.get(i).responseBytes();
                    all = all.plus(new IntegrityCount(
                            2 * result.rpcs(), result.rpcs() * bytes, result.corrupt(), result.lost(), 0));
                }
            }
        }
        return all;
    }

    /// Returns for each contender that polls the longest time between two polls, and what disturbed it; only where
    /// latency is measured.
    List<String> gaps() {
        List<String> lines = new ArrayList<>();
        for (Peer peer : suite.peers()) {
            long gapNs = 0;
            Stalls stalls = Stalls.NONE;
            for (Measured m : measured()) {
                if (m.peer() == peer) {
                    for (Run run : samples.of(peer, m.of().name())) {
                        LoadResult result = run.result();
                        gapNs = Math.max(gapNs, result.largestGapNs());
                        stalls = stalls.plus(result.stalls());
                    }
                }
            }
            if (gapNs > 0) {
                lines.add(String.format(
                        Locale.ROOT,
                        "%s: largest poll gap %.1f us; client meanwhile: %s",
                        peer.label(),
                        gapNs / 1e3,
                        stalls));
            }
        }
        return lines;
    }
}
