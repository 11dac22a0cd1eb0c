package io.homa.scenario;

import io.homa.fabric.WireFormat;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// The division of unscheduled priorities of the SIGCOMM 2018 simulations: each level carries as many bytes as the
/// others, where a packet counts with the bytes that remain of its message, and grants count to the highest level
/// (facts from PlatformLab/HomaSimulation, `WorkloadEstimator` and `PriorityResolver`, mode `STATIC_CBF_GRADUATED`).
public final class PaperCutoffs {
    /// Bytes on the wire at the start of a message, and at its end, that travel at unscheduled levels.
    private static final int UNSCHEDULED_WIRE_BYTES = 10_000;

    private static final int LEVELS = 8;
    private static final int GRANT_BYTES = 84;

    private PaperCutoffs() {}

    /// Returns the table for hosts with `levels` priorities of which the best `unscheduledLevels` are for unscheduled
    /// bytes: for each level the longest remainder that may use it.
    public static int[] of(Workload workload, WireFormat format, int levels, int unscheduledLevels) {
        NavigableMap<Integer, Double> bytesByRemainder = new TreeMap<>();
        double[] grants = {0};
        workload.forEachSize((size, probability) -> add(bytesByRemainder, grants, format, size, probability));
        double total = grants[0];
        for (double bytes : bytesByRemainder.values()) {
            total += bytes;
        }
        int[] cutoffs = new int[LEVELS];
        int level = levels - 1;
        double sum = grants[0];
        int previous = 0;
        for (Map.Entry<Integer, Double> entry : bytesByRemainder.entrySet()) {
            sum += entry.getValue();
            while (level > levels - unscheduledLevels
                    && sum >= total * (levels - level) / unscheduledLevels
                    && entry.getKey() > previous) {
                cutoffs[level--] = entry.getKey();
                previous = entry.getKey();
            }
        }
        cutoffs[levels - unscheduledLevels] = Integer.MAX_VALUE;
        return cutoffs;
    }

    private static void add(
            NavigableMap<Integer, Double> bytesByRemainder,
            double[] grants,
            WireFormat format,
            int size,
            double probability) {
        long wireBytes = format.messageWireBytes(size);
        long sent = 0;
        int offset = 0;
        while (offset < size) {
            int payload = format.segmentLength(offset, size);
            int bytes = format.dataWireBytes(offset, payload);
            if (sent < UNSCHEDULED_WIRE_BYTES || wireBytes - sent < UNSCHEDULED_WIRE_BYTES) {
                bytesByRemainder.merge(size - offset, probability * bytes, Double::sum);
            }
            if (offset >= format.unscheduledBytes()) {
                grants[0] += probability * GRANT_BYTES;
            }
            sent += bytes;
            offset += payload;
        }
    }
}
