package io.homa.cli;

import io.homa.dpdk.Eal;
import io.homa.scenario.BuildInfo;
import io.homa.scenario.IntegrityCount;
import io.homa.scenario.MachineInfo;
import io.homa.scenario.Measurement;
import io.homa.scenario.PingLoad;
import io.homa.scenario.RunResult;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Collects what the sizes of one `ping` gave.
final class PingResults {
    private static final String NAME = "homa";

    private final String device;
    private final Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final List<Measurement> measurements = new ArrayList<>();
    private final List<String> invalidReasons = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private IntegrityCount integrity = IntegrityCount.NONE;
    private long durationNs;
    private int leakedPackets;
    private boolean isStuck;

    PingResults(String device) {
        this.device = device;
    }

    void add(PingLoad load, boolean isClosedLoop) {
        integrity = integrity.plus(load.integrity());
        durationNs += load.elapsedNs();
        if (load.lastError() != null) {
            failures.add("requests of " + load.size() + " B failed: " + explain(load));
        }
        if (load.times().getTotalCount() == 0) {
            return;
        }
        measurements.add(Measurement.rtt(NAME, load.size(), load.outstanding(), load.times()));
        double perSecond = load.times().getTotalCount() * 1e9 / load.elapsedNs();
        measurements.add(Measurement.value(NAME, Measurement.RPC_PER_S, load.size(), load.outstanding(), perSecond));
        measurements.add(Measurement.value(
                NAME, Measurement.GOODPUT_BPS, load.size(), load.outstanding(), perSecond * load.size() * 8 * 2));
        if (!isClosedLoop && load.isScheduleMissed()) {
            invalidReasons.add("size " + load.size() + ": the schedule was missed, " + load.lateRequests()
                    + " requests were late, the latest by " + load.largestDelayNs() / 1_000 + " us");
        }
    }

    void stuck(int size) {
        isStuck = true;
        failures.add("requests of " + size + " B made no progress any more. Is --pool large enough, here and at the"
                + " server, for the messages on their way?");
    }

    private static String explain(PingLoad load) {
        return switch (load.lastError()) {
            case TIMED_OUT ->
                "nothing was heard from the server in time. Is ./homa server running on the other side of the device, and is"
                        + " HOST its --address?";
            case PORT_UNREACHABLE -> "nobody serves that port. Compare with --port of ./homa server.";
            case HOST_UNREACHABLE ->
                "the host does not answer ARP. Compare HOST with --address of ./homa server; both must be in one subnet.";
            case PROTOCOL_UNSUPPORTED -> "that host does not speak Homa.";
            case PEER_RESTARTED -> "the server was restarted.";
            case CANCELLED, CLOSED -> "the run was ended.";
            case REFUSED -> "the table of requests was full. Lower --outstanding.";
            case null -> "for an unknown reason.";
        };
    }

    void close(int leaked, boolean isInterrupted) {
        leakedPackets = leaked;
        if (isInterrupted) {
            invalidReasons.add("interrupted");
        }
        if (!integrity.isClean()) {
            failures.add("integrity: " + integrity.corrupt() + " corrupt, " + integrity.lost() + " lost, "
                    + integrity.duplicated() + " duplicated");
        }
        // A server that waits for room still holds requests then.
        if (leaked != 0 && !isStuck) {
            failures.add(leaked + " packets were not given back to the pool; this is a bug");
        }
    }

    /// Returns what failed, in one line, if anything did.
    Optional<String> failure() {
        return failures.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", failures));
    }

    RunResult result() {
        List<String> reasons = new ArrayList<>(invalidReasons);
        reasons.addAll(failures);
        return new RunResult(
                "ping",
                BuildInfo.version(),
                BuildInfo.commit(),
                started.toString(),
                durationNs,
                MachineInfo.current(Eal.version(), device),
                reasons.isEmpty(),
                reasons,
                measurements,
                List.of(),
                integrity,
                new RunResult.Resources(0, leakedPackets, MachineInfo.residentBytes()));
    }
}
