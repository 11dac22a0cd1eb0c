package io.homa.engine;

import io.homa.memory.HotPath;

/// The table that this host tells its senders: the longest message that may use each priority for its unscheduled
/// bytes, and from it the priorities that are left for scheduled bytes (protocol reference 2.9, 4.2, 4.3.5).
/// Engine thread only.
@HotPath
final class PriorityCutoffs {
    private static final int[] KERNEL_DEFAULT = {0, 0, 0, 0, 1_000_000, 15_000, 2_800, 200};

    private final int priorities;
    private final int[] cutoffs = new int[8];
    private int version;
    private int maxScheduledPriority;

    /// Starts with the kernel module's table, version 1; its entry 0 is sent as 0, which every receiver takes for
    /// unlimited.
    PriorityCutoffs(int priorities) {
        this.priorities = priorities;
        set(KERNEL_DEFAULT);
        cutoffs[0] = 0;
    }

    /// Replaces the table: entries of unused levels become 0, entry 0 unlimited; the version rises.
    void set(int[] table) {
        for (int i = 0; i < cutoffs.length; i++) {
            cutoffs[i] = i < priorities ? table[i] : 0;
        }
        cutoffs[0] = Integer.MAX_VALUE;
        version = version == 0xFFFF ? 1 : version + 1;
        int lowestUnscheduled = 0;
        for (int i = priorities - 1; i > 0; i--) {
            if (cutoffs[i] >= EngineConfig.MAX_MESSAGE_LENGTH) {
                lowestUnscheduled = i;
                break;
            }
        }
        maxScheduledPriority = Math.max(lowestUnscheduled - 1, 0);
    }

    int cutoff(int priority) {
        return cutoffs[priority];
    }

    int version() {
        return version;
    }

    int maxScheduledPriority() {
        return maxScheduledPriority;
    }

    /// Returns the priority that senders who know this table use for the unscheduled packets of a message of
    /// `length`
    /// bytes.
    int unscheduledPriority(int length) {
        for (int i = priorities - 1; i > 0; i--) {
            if (cutoffs[i] >= length) {
                return i;
            }
        }
        return 0;
    }

    /// Returns the priority for scheduled packets of the message of this rank (0 is best) among `active` ones:
    /// with fewer messages than levels the lowest levels, so that a better message can come in above; with more
    /// the last ones share level 0.
    int scheduledPriority(int rank, int active) {
        int priority = maxScheduledPriority - rank;
        int unused = maxScheduledPriority + 1 - active;
        return Math.max(unused > 0 ? priority - unused : priority, 0);
    }
}
