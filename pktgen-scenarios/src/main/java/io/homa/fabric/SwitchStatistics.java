package io.homa.fabric;

import java.util.List;

/// What the switches of a fabric counted.
///
/// @param meanQueuedBytes by [PortLevel]: bytes in the queues of a port as arriving packets saw them
/// @param maxQueuedBytes by [PortLevel]: most bytes in the queues of one port
/// @param peakUsedBytes most bytes that one switch held
/// @param drops packets that found the buffer full
/// @param marks packets that were marked because of a long queue (ECN)
public record SwitchStatistics(
        double[] meanQueuedBytes, int[] maxQueuedBytes, long peakUsedBytes, long drops, long marks) {
    static SwitchStatistics of(SwitchPorts ports) {
        PortLevel[] levels = PortLevel.values();
        double[] mean = new double[levels.length];
        int[] max = new int[levels.length];
        for (PortLevel level : levels) {
            mean[level.ordinal()] = ports.meanQueuedBytes(level);
            max[level.ordinal()] = ports.maxQueuedBytes(level);
        }
        return new SwitchStatistics(mean, max, ports.peakUsedBytes(), ports.drops(), ports.marks());
    }

    /// Returns all as if one network had counted them, in runs of the same length.
    public static SwitchStatistics together(List<SwitchStatistics> all) {
        int levels = all.getFirst().meanQueuedBytes.length;
        double[] mean = new double[levels];
        int[] max = new int[levels];
        for (SwitchStatistics one : all) {
            for (int i = 0; i < levels; i++) {
                mean[i] += one.meanQueuedBytes[i] / all.size();
                max[i] = Math.max(max[i], one.maxQueuedBytes[i]);
            }
        }
        return new SwitchStatistics(
                mean,
                max,
                all.stream().mapToLong(SwitchStatistics::peakUsedBytes).max().orElse(0),
                all.stream().mapToLong(SwitchStatistics::drops).sum(),
                all.stream().mapToLong(SwitchStatistics::marks).sum());
    }
}
