package io.homa.bench;

import io.homa.bench.load.FlowResult;
import io.homa.bench.peer.Peer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/// What the rounds of a suite gave, in the order of the rounds.
final class Samples {
    /// Which contender in which case.
    record Key(Peer peer, String caseName) {}

    /// The rounds' ratios in ascending order.
    record Spread(double[] sorted) {
        double median() {
            return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
        }

        double min() {
            return sorted[0];
        }

        double max() {
            return sorted[sorted.length - 1];
        }
    }

    private final Map<Key, List<Run>> runs = new LinkedHashMap<>();

    void add(Peer peer, Case of, Run run) {
        runs.computeIfAbsent(new Key(peer, of.name()), _ -> new ArrayList<>()).add(run);
    }

    List<Run> of(Peer peer, String caseName) {
        return runs.getOrDefault(new Key(peer, caseName), List.of());
    }

    boolean has(Peer peer, String caseName) {
        return runs.containsKey(new Key(peer, caseName));
    }

    /// Returns the times of a flow in all rounds together.
    Histogram times(Peer peer, String caseName, int flow) {
        Histogram all = FlowResult.newHistogram();
        of(peer, caseName).forEach(run -> all.add(run.result().flows().get(flow).times()));
        return all;
    }

    /// Returns a figure of all rounds.
    Spread spread(Peer peer, String caseName, ToDoubleFunction<Run> figure) {
        return new Spread(
                of(peer, caseName).stream().mapToDouble(figure).sorted().toArray());
    }

    /// Returns a figure of one contender and case divided by that of another, round by round.
    Spread ratio(Key of, ToDoubleFunction<Run> figureOf, Key to, ToDoubleFunction<Run> figureTo) {
        List<Run> above = of(of.peer(), of.caseName());
        List<Run> below = of(to.peer(), to.caseName());
        double[] ratios = new double[Math.min(above.size(), below.size())];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = figureOf.applyAsDouble(above.get(i)) / Math.max(1e-9, figureTo.applyAsDouble(below.get(i)));
        }
        java.util.Arrays.sort(ratios);
        return new Spread(ratios);
    }

    /// Returns a percentile of a flow's times as a figure.
    static ToDoubleFunction<Run> percentile(int flow, double percentile) {
        return run -> run.result().flows().get(flow).times().getValueAtPercentile(percentile);
    }

    /// Returns responses per second of a flow as a figure.
    static ToDoubleFunction<Run> rate(int flow) {
        return run -> run.result().flows().get(flow).perSecond();
    }

    /// Returns request bits per second of a flow as a figure.
    static ToDoubleFunction<Run> goodput(int flow, int requestBytes) {
        return run -> rate(flow).applyAsDouble(run) * requestBytes * Byte.SIZE;
    }
}
