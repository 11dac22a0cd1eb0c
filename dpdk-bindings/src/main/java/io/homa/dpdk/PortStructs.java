package io.homa.dpdk;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/// The structures of `homa_dpdk.h` that control calls fill: `homa_port_config`, `homa_port_info`,
/// `homa_port_stats`.
final class PortStructs {
    static final int CONFIG_LENGTH = 32;
    static final int INFO_LENGTH = 88;
    static final int STATS_LENGTH = 64;

    private PortStructs() {}

    static void writeConfig(MemorySegment out, PortConfig config, long pool) {
        out.set(JAVA_INT, 0, config.queues());
        out.set(JAVA_INT, 4, config.queues());
        out.set(JAVA_INT, 8, config.rxDescriptors());
        out.set(JAVA_INT, 12, config.txDescriptors());
        out.set(JAVA_INT, 16, config.mtu());
        out.set(JAVA_INT, 20, 0);
        out.set(JAVA_LONG, 24, pool);
    }

    static PortInfo readInfo(MemorySegment in) {
        return new PortInfo(
                in.get(JAVA_LONG, 0),
                in.get(JAVA_INT, 8),
                in.get(JAVA_INT, 12),
                in.get(JAVA_INT, 16),
                in.get(JAVA_INT, 20),
                in.get(JAVA_INT, 24) != 0,
                in.get(JAVA_INT, 28) != 0,
                in.get(JAVA_INT, 32) != 0,
                in.get(JAVA_INT, 36),
                in.getString(40));
    }

    static PortStats readStats(MemorySegment in) {
        return new PortStats(
                in.get(JAVA_LONG, 0),
                in.get(JAVA_LONG, 8),
                in.get(JAVA_LONG, 16),
                in.get(JAVA_LONG, 24),
                in.get(JAVA_LONG, 32),
                in.get(JAVA_LONG, 40),
                in.get(JAVA_LONG, 48),
                in.get(JAVA_LONG, 56));
    }
}
