package io.homa.scenario;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.homa.fabric.PortLevel;
import io.homa.fabric.SwitchStatistics;
import java.util.List;

/// The part that the JSON of all simulated scenarios shares.
final class ScenarioJson {
    private ScenarioJson() {}

    /// Returns what all measuring commands have in common, with empty results, and the figures of the simulation.
    static ObjectNode head(
            String command, String started, long elapsedNs, List<String> invalidReasons, FabricRun.Outcome outcome) {
        long messages = outcome.counts().stream().mapToLong(TrafficCounts::done).sum();
        long bytes =
                outcome.counts().stream().mapToLong(TrafficCounts::doneBytes).sum();
        long lost = outcome.counts().stream().mapToLong(TrafficCounts::lost).sum();
        RunResult result = new RunResult(
                command,
                BuildInfo.version(),
                BuildInfo.commit(),
                started,
                elapsedNs,
                MachineInfo.current("none", "simulated"),
                invalidReasons.isEmpty(),
                invalidReasons,
                List.of(),
                List.of(),
                new IntegrityCount(messages, bytes, 0, lost, 0),
                new RunResult.Resources(0, 0, MachineInfo.residentBytes()));
        ObjectNode tree = new ObjectMapper().valueToTree(result);
        ObjectNode simulation = tree.putObject("simulation");
        simulation.put("events", outcome.events());
        simulation.put("packets", outcome.packets());
        simulation.put("cpu_ns", outcome.cpuNs());
        simulation.put("events_per_core_second", outcome.events() * 1e9 / Math.max(1, outcome.cpuNs()));
        putSwitches(tree.putObject("switches"), outcome.switches());
        return tree;
    }

    private static void putSwitches(ObjectNode into, SwitchStatistics switches) {
        into.put("drops", switches.drops());
        into.put("marks", switches.marks());
        into.put("peak_buffer_bytes", switches.peakUsedBytes());
        for (PortLevel level : PortLevel.values()) {
            ObjectNode queue = into.putObject(level.label().replace(' ', '_'));
            queue.put("mean_queued_bytes", switches.meanQueuedBytes()[level.ordinal()]);
            queue.put("max_queued_bytes", switches.maxQueuedBytes()[level.ordinal()]);
        }
    }
}
