package io.homa.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.homa.scenario.FabricRun;
import io.homa.scenario.Sigcomm18;
import io.homa.scenario.Sigcomm18Result;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ExitCode;

/// The built-in scenario `overcommit`: more of workload W4 than a network can carry, so that what it delivers is the
/// load that it can sustain, with one message granted at a time and with seven.
final class OvercommitSession {
    private static final String WORKLOAD = "W4";

    private OvercommitSession() {}

    /// @param scheduledLevels messages granted at a time
    /// @param offeredPercent load, above what can be sustained
    /// @param published sustainable load of the paper, percent
    private record Case(int scheduledLevels, int offeredPercent, double published) {}

    private static final List<Case> CASES = List.of(new Case(1, 70, 63), new Case(7, 93, 89));

    static int run(Sigcomm18.Preset preset, long seed, JsonOption json, Console console) {
        ObjectNode tree = new ObjectMapper().createObjectNode();
        tree.put("command", "scenario run overcommit")
                .put("preset", preset.label())
                .put("seed", seed);
        boolean isComplete = true;
        for (Case one : CASES) {
            long lengthPs = preset.lengthPs(WORKLOAD);
            Sigcomm18 setup = new Sigcomm18(
                    WORKLOAD, one.offeredPercent(), one.scheduledLevels(), true, lengthPs, lengthPs / 2, seed);
            FabricRun.Outcome outcome =
                    SimulatedRuns.run("K = " + one.scheduledLevels(), List.of(FabricRun.of(setup, false)), console);
            double delivered = new Sigcomm18Result(setup, preset.label(), 1, outcome).secondHalfPercent();
            isComplete &= outcome.isComplete();
            if (!json.isStandardOutput()) {
                console.print(String.format(
                        Locale.ROOT,
                        "%s, %d granted at a time: offered %d %%, delivered %.1f %% in the second half of %.0f ms; "
                                + "published as sustainable: %.0f %%",
                        WORKLOAD,
                        one.scheduledLevels(),
                        one.offeredPercent(),
                        delivered,
                        lengthPs / 1e9,
                        one.published()));
            }
            tree.withArray("results")
                    .addObject()
                    .put("name", "homa")
                    .put("metric", "downlink_load")
                    .put("overcommit", one.scheduledLevels())
                    .put("offered", one.offeredPercent() / 100.0)
                    .put("value", delivered / 100)
                    .put("published", one.published() / 100);
        }
        tree.put("valid", isComplete);
        json.write(tree.toPrettyString() + "\n", console);
        return isComplete ? ExitCode.OK : ExitCode.SOFTWARE;
    }
}
