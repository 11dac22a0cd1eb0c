package io.homa.cli;

import io.homa.dpdk.Eal;
import io.homa.scenario.BuildInfo;
import io.homa.scenario.ExchangeSummary;
import io.homa.scenario.MachineInfo;
import io.homa.scenario.Measurement;
import io.homa.scenario.RunResult;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/// Leads both processes of `demo` through the exchange over Homa, then over TCP, and puts the results together. One
/// thread.
final class DemoRun {
    /// Longest time from the start until both processes are connected.
    static final Duration START_LIMIT = Duration.ofSeconds(30);

    /// Room for the largest messages of every request on its way, both ways and at both ends.
    static final int POOL_PACKETS = 65_536;

    private static final int BOTH = 2;

    /// What to run.
    ///
    /// @param duration time to measure over each transport
    /// @param warmUp time before that
    /// @param messages requests to be answered each way at least
    /// @param limit time beyond the duration in which to reach that
    /// @param outstanding requests on their way from each process
    /// @param comparesTcp whether TCP follows
    /// @param isVerbose whether the stacks' counters are printed
    record Plan(
            Duration duration,
            Duration warmUp,
            long messages,
            Duration limit,
            int outstanding,
            boolean comparesTcp,
            boolean isVerbose) {}

    private final Plan plan;
    private final DemoSide here;
    private final PeerProcess other;
    private final Console console;
    private final Interrupt interrupt;
    private final List<String> problems = new ArrayList<>();
    private final List<Measurement> measurements = new ArrayList<>();
    private long measuredNs;
    private long elapsedNs;

    DemoRun(Plan plan, DemoSide here, PeerProcess other, Console console, Interrupt interrupt) {
        this.plan = plan;
        this.here = here;
        this.other = other;
        this.console = console;
        this.interrupt = interrupt;
    }

    /// Runs everything and returns the result, with `device` as the device's name.
    RunResult run(String device) {
        long startNs = System.nanoTime();
        String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        ask(DemoControl.OPEN);
        console.note(
                String.format(java.util.Locale.ROOT, "connected after %.1f s", (System.nanoTime() - startNs) / 1e9));
        ExchangeSummary homa = exchange("homa");
        measuredNs = elapsedNs;
        if (plan.isVerbose()) {
            console.note("here: " + here.ask(DemoControl.COUNTERS));
            console.note("there: " + other.ask(DemoControl.COUNTERS));
        }
        long leaked = Long.parseLong(here.ask(DemoControl.CLOSE)) + Long.parseLong(other.ask(DemoControl.CLOSE));
        if (leaked != 0) {
            problems.add(leaked + " packets were not given back to the pools; this is a bug");
        }
        List<RunResult.Ratio> ratios = new ArrayList<>();
        if (plan.comparesTcp() && !interrupt.isRequested()) {
            ExchangeSummary tcp = overTcp();
            ratios.add(ratio(homa, tcp));
        }
        if (interrupt.isRequested()) {
            problems.add("interrupted");
        }
        return new RunResult(
                "demo",
                BuildInfo.version(),
                BuildInfo.commit(),
                started,
                measuredNs,
                MachineInfo.current(Eal.version(), device),
                problems.isEmpty(),
                problems,
                measurements,
                ratios,
                homa.integrity(),
                new RunResult.Resources(
                        homa.rpcs() == 0 ? 0 : (double) homa.allocatedBytes() / homa.rpcs(),
                        leaked,
                        MachineInfo.residentBytes()));
    }

    private ExchangeSummary overTcp() {
        String otherPort = other.ask(DemoControl.TCP_LISTEN);
        String herePort = here.ask(DemoControl.TCP_LISTEN);
        here.ask(DemoControl.TCP_CONNECT + " " + otherPort);
        other.ask(DemoControl.TCP_CONNECT + " " + herePort);
        ExchangeSummary tcp = exchange("tcp");
        ask(DemoControl.TCP_CLOSE);
        return tcp;
    }

    /// Both sides at the same time: the other process is told first and answers meanwhile.
    private void ask(String command) {
        other.send(command);
        String mine = here.ask(command);
        String theirs = other.answer();
        if (!mine.equals(DemoControl.OK) || !theirs.equals(DemoControl.OK)) {
            problems.add("'" + command + "' did not end in time: requests were still on their way");
        }
    }

    private ExchangeSummary exchange(String name) {
        ask(DemoControl.START);
        console.await(name + " warm-up", plan.warmUp().toMillis(), elapsedMillis(), untilElapsed(plan.warmUp(), 0));
        if (!interrupt.isRequested()) {
            ask(DemoControl.RECORD);
        }
        long startNs = System.nanoTime();
        boolean isEnough = console.await(
                name, plan.duration().toMillis(), elapsedMillis(), untilElapsed(plan.duration(), plan.messages()));
        ask(DemoControl.STOP);
        elapsedNs = System.nanoTime() - startNs;
        ask(DemoControl.DRAIN);
        ExchangeSummary mine = ExchangeSummary.parse(here.ask(DemoControl.SUMMARY));
        ExchangeSummary theirs = ExchangeSummary.parse(other.ask(DemoControl.SUMMARY));
        if (isEnough && Math.min(mine.ended(), theirs.ended()) < plan.messages()) {
            problems.add(name + ": only " + Math.min(mine.ended(), theirs.ended()) + " of " + plan.messages()
                    + " requests were answered one way within the limit");
        }
        ExchangeSummary both = mine.plus(theirs);
        addMeasurements(name, both);
        console.note(name + ": " + mine.ended() + " requests there, " + theirs.ended() + " back, "
                + both.integrity().messages() + " messages checked");
        return both;
    }

    private static java.util.function.LongSupplier elapsedMillis() {
        long startNs = System.nanoTime();
        return () -> (System.nanoTime() - startNs) / 1_000_000;
    }

    private Console.Wait untilElapsed(Duration time, long messages) {
        long startNs = System.nanoTime();
        return new Console.Wait() {
            @Override
            public boolean isOver() {
                long elapsed = System.nanoTime() - startNs;
                return elapsed >= time.toNanos()
                        && (elapsed >= time.plus(plan.limit()).toNanos() || ended() >= messages);
            }

            @Override
            public boolean isCancelled() {
                return interrupt.isRequested();
            }
        };
    }

    private long ended() {
        return Math.min(firstNumber(here.ask(DemoControl.STATUS)), firstNumber(other.ask(DemoControl.STATUS)));
    }

    private static long firstNumber(String text) {
        return Long.parseLong(text.substring(0, text.indexOf(' ')));
    }

    private void addMeasurements(String name, ExchangeSummary both) {
        if (both.rpcs() == 0) {
            problems.add(name + ": nothing was measured");
            return;
        }
        measurements.addAll(both.latency().measurements(name, plan.outstanding()));
        double seconds = elapsedNs / 1e9;
        int onTheirWay = BOTH * plan.outstanding();
        measurements.add(
                Measurement.value(name, Measurement.GOODPUT_BPS, null, onTheirWay, both.bytes() * 8 / seconds));
        measurements.add(Measurement.value(name, Measurement.RPC_PER_S, null, onTheirWay, both.rpcs() / seconds));
        if (!both.integrity().isClean()) {
            problems.add(name + ": " + both.integrity().corrupt() + " messages corrupt, "
                    + both.integrity().lost() + " lost, " + both.integrity().duplicated() + " duplicated");
        }
    }

    private static RunResult.Ratio ratio(ExchangeSummary homa, ExchangeSummary tcp) {
        var above = homa.latency().all();
        var below = tcp.latency().all();
        return RunResult.Ratio.ofPercentiles(
                Measurement.RTT_NS,
                "homa",
                "tcp",
                (double) above.getValueAtPercentile(50) / Math.max(1, below.getValueAtPercentile(50)),
                (double) above.getValueAtPercentile(99) / Math.max(1, below.getValueAtPercentile(99)));
    }
}
