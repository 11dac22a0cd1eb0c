package io.homa.scenario;

import io.homa.fabric.Fabric;
import io.homa.fabric.FabricConfig;
import io.homa.fabric.FaultCounts;
import io.homa.fabric.SwitchStatistics;
import io.homa.fabric.TransportSetup;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;

/// One simulation from start to end: warm-up, measurement, then until every message has arrived. One thread, except
/// for [#donePerMille].
public final class FabricRun {
    private static final int STEPS = 1_000;
    /// Time for what is on its way at the end, in lengths of the run, and at least.
    private static final int DRAIN_LENGTHS = 20;

    private static final long LEAST_DRAIN_PS = 2_000_000_000_000L;

    private final FabricConfig config;
    private final TransportSetup transport;
    private final Traffic traffic;
    private final List<TrafficCounts> counts;
    private final long warmUpPs;
    private final long lengthPs;
    private final boolean isDrained;

    private volatile int donePerMille;

    /// @param traffic what happens on the network; its patterns count in `counts`
    /// @param warmUpPs part of `lengthPs` at the start that is not measured
    /// @param isDrained whether what is on its way at the end still arrives
    public FabricRun(
            FabricConfig config,
            TransportSetup transport,
            Traffic traffic,
            List<TrafficCounts> counts,
            long warmUpPs,
            long lengthPs,
            boolean isDrained) {
        this.isDrained = isDrained;
        this.config = config;
        this.transport = transport;
        this.traffic = traffic;
        this.counts = List.copyOf(counts);
        this.warmUpPs = warmUpPs;
        this.lengthPs = lengthPs;
    }

    /// Returns the run that `setup` describes.
    public static FabricRun of(Sigcomm18 setup) {
        return of(setup, true);
    }

    /// Returns the run that `setup` describes.
    ///
    /// @param isDrained whether what is on its way at the end still arrives
    public static FabricRun of(Sigcomm18 setup, boolean isDrained) {
        FabricConfig config = FabricConfig.sigcomm18(setup.seed());
        IdealDelay ideal = new IdealDelay(config.topology(), config.delays());
        Traffic traffic = new Traffic(setup.longestMessage(), ideal, setup.warmUpPs(), setup.lengthPs());
        TrafficCounts counts = new TrafficCounts(setup.workload(), setup.bins());
        traffic.add(
                new PoissonTraffic(
                        Workload.builtIn(setup.workload()),
                        setup.bytesPerSecond(),
                        config.topology().hosts(),
                        setup.seed() * 31 + 7),
                counts);
        return new FabricRun(
                config, setup.transport(), traffic, List.of(counts), setup.warmUpPs(), setup.lengthPs(), isDrained);
    }

    /// What a run found.
    ///
    /// @param counts by pattern
    /// @param switches queues, drops and marks of the measured time
    /// @param faults what happened to packets by chance
    /// @param downlinkBytes bytes on the links to hosts in the measured time, preamble and gap included
    /// @param secondHalfBytes the same of the second half of the run
    /// @param unfinished transfers that had not ended when the run was given up
    /// @param events steps of the simulation
    /// @param packets packets that left hosts
    /// @param cpuNs processor time of the simulating threads
    /// @param isComplete false if interrupted
    public record Outcome(
            List<TrafficCounts> counts,
            SwitchStatistics switches,
            FaultCounts faults,
            long downlinkBytes,
            long secondHalfBytes,
            long unfinished,
            long events,
            long packets,
            long cpuNs,
            boolean isComplete) {
        public Outcome {
            counts = List.copyOf(counts);
        }

        /// Returns runs of the same patterns as if they were one. Changes the counts of the first.
        static Outcome together(List<Outcome> all) {
            Outcome first = all.getFirst();
            for (Outcome other : all.subList(1, all.size())) {
                for (int i = 0; i < first.counts.size(); i++) {
                    first.counts.get(i).add(other.counts.get(i));
                }
            }
            return new Outcome(
                    first.counts,
                    SwitchStatistics.together(
                            all.stream().map(Outcome::switches).toList()),
                    FaultCounts.together(all.stream().map(Outcome::faults).toList()),
                    sum(all, Outcome::downlinkBytes),
                    sum(all, Outcome::secondHalfBytes),
                    sum(all, Outcome::unfinished),
                    sum(all, Outcome::events),
                    sum(all, Outcome::packets),
                    sum(all, Outcome::cpuNs),
                    all.stream().allMatch(Outcome::isComplete));
        }

        private static long sum(List<Outcome> all, ToLongFunction<Outcome> value) {
            return all.stream().mapToLong(value).sum();
        }
    }

    /// Returns how much of the run is done, in 1/1000. Any thread.
    public int donePerMille() {
        return donePerMille;
    }

    /// Runs it, once.
    public Outcome run(BooleanSupplier isCancelled) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long startCpu = threads.getCurrentThreadCpuTime();
        try (Fabric fabric = new Fabric(config, transport, traffic)) {
            traffic.start(fabric);
            long atMeasure = 0;
            long atHalf = 0;
            for (int step = 1; step <= STEPS && !isCancelled.getAsBoolean(); step++) {
                long toPs = lengthPs / STEPS * step;
                if (fabric.nowPs() < warmUpPs && toPs >= warmUpPs) {
                    fabric.run(warmUpPs);
                    fabric.resetStatistics();
                    atMeasure = fabric.deliveredWireBytes();
                }
                fabric.run(toPs);
                if (step == STEPS / 2) {
                    atHalf = fabric.deliveredWireBytes();
                }
                donePerMille = step * 9 / 10;
            }
            long atStop = fabric.deliveredWireBytes();
            SwitchStatistics switches = fabric.statistics();
            if (isDrained) {
                drain(fabric, isCancelled);
            }
            return new Outcome(
                    counts,
                    switches,
                    fabric.faults(),
                    atStop - atMeasure,
                    atStop - atHalf,
                    traffic.open(),
                    fabric.events(),
                    fabric.packets(),
                    threads.getCurrentThreadCpuTime() - startCpu,
                    !isCancelled.getAsBoolean());
        }
    }

    private void drain(Fabric fabric, BooleanSupplier isCancelled) {
        long endPs = fabric.nowPs() + Math.max(LEAST_DRAIN_PS, DRAIN_LENGTHS * lengthPs);
        long stepPs = Math.max(1_000_000_000L, lengthPs / STEPS);
        while (traffic.open() > 0 && fabric.nowPs() < endPs && !isCancelled.getAsBoolean()) {
            fabric.run(fabric.nowPs() + stepPs);
        }
        donePerMille = STEPS;
    }
}
