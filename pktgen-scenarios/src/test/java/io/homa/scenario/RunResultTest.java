package io.homa.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/// The JSON that others read: its keys are pinned here, and changing one needs a reason.
class RunResultTest {
    static RunResult sample(String text) {
        Histogram times = new Histogram(1, 1_000_000, 3);
        for (int i = 1; i <= 1_000; i++) {
            times.recordValue(i);
        }
        return new RunResult(
                "ping",
                "1.0",
                "abc",
                "2026-12-01T05:00:00Z",
                1_000,
                new MachineInfo(text, 2, "Linux", "25", "DPDK", "ring:"),
                false,
                List.of(text),
                List.of(
                        Measurement.rtt("homa", 100, 1, times),
                        Measurement.value("homa", Measurement.GOODPUT_BPS, null, 1, 2.5)),
                List.of(RunResult.Ratio.ofPercentiles("rtt_ns", "homa", "tcp", 0.5, 0.25)),
                new IntegrityCount(1, 2, 3, 4, 5),
                new RunResult.Resources(0.5, 6, 7));
    }

    private static List<String> keys(JsonNode node) {
        List<String> keys = new ArrayList<>();
        node.fieldNames().forEachRemaining(keys::add);
        return keys;
    }

    @Test
    void keysAreThePinnedOnes() throws Exception {
        JsonNode json = new ObjectMapper().readTree(sample("x").toJson());
        assertEquals(
                List.of(
                        "command",
                        "version",
                        "git",
                        "started",
                        "duration_ns",
                        "machine",
                        "valid",
                        "invalid_reasons",
                        "results",
                        "ratios",
                        "integrity",
                        "resources"),
                keys(json));
        assertEquals(List.of("cpu", "cores", "kernel", "jdk", "dpdk", "device"), keys(json.get("machine")));
        assertEquals(
                List.of("name", "metric", "size", "outstanding", "count", "min", "p50", "p90", "p99", "p999", "max"),
                keys(json.get("results").get(0)));
        assertEquals(
                List.of("name", "metric", "outstanding", "value"),
                keys(json.get("results").get(1)));
        assertEquals(
                List.of("metric", "of", "to", "p50", "p99"),
                keys(json.get("ratios").get(0)));
        assertEquals(List.of("messages", "bytes", "corrupt", "lost", "duplicated"), keys(json.get("integrity")));
        assertEquals(List.of("heap_bytes_per_rpc", "mbufs_leaked", "rss_bytes"), keys(json.get("resources")));
    }

    @Test
    void percentilesAreThoseOfTheHistogram() throws Exception {
        JsonNode first =
                new ObjectMapper().readTree(sample("x").toJson()).get("results").get(0);
        assertEquals(1_000, first.get("count").asInt());
        assertEquals(1, first.get("min").asInt());
        assertEquals(500, first.get("p50").asInt());
        assertEquals(900, first.get("p90").asInt());
        assertEquals(990, first.get("p99").asInt());
        assertEquals(999, first.get("p999").asInt());
        assertEquals(1_000, first.get("max").asInt());
    }

    @Test
    void whatWasWrittenIsReadBack() {
        RunResult result = sample("quote \" and ü");
        assertEquals(result, RunResult.parse(result.toJson()));
        assertThrows(IllegalArgumentException.class, () -> RunResult.parse("{\"command\": 3, \"x\": 1}"));
    }

    @Test
    void machineAndBuildAreKnown() {
        MachineInfo machine = MachineInfo.current("DPDK", "ring:");
        assertFalse(machine.cpu().isEmpty());
        assertTrue(machine.cores() >= 1);
        assertTrue(machine.jdk().matches("[0-9]+.*"), machine.jdk());
        assertTrue(MachineInfo.residentBytes() > 1_000_000);
        assertTrue(BuildInfo.version().matches("[0-9]+\\.[0-9]+.*"), BuildInfo.version());
    }
}
