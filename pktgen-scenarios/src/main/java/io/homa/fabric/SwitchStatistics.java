package io.homa.fabric;

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
}
