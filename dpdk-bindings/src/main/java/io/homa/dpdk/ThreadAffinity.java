package io.homa.dpdk;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;

/// Which CPUs the calling thread may run on. Thread-safe: each call concerns its own thread only.
public final class ThreadAffinity {
    private static final int WORDS = 16;

    private ThreadAffinity() {}

    /// Returns the CPUs of the calling thread.
    public static BitSet current() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(ValueLayout.JAVA_LONG, WORDS);
            int result = DpdkCalls.threadAffinity(mask, WORDS);
            if (result != 0) {
                throw DpdkException.of("sched_getaffinity", "this thread", result, "This should not happen.");
            }
            return BitSet.valueOf(mask.toArray(ValueLayout.JAVA_LONG));
        }
    }

    /// Sets the CPUs of the calling thread.
    public static void set(BitSet cpus) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(ValueLayout.JAVA_LONG, WORDS);
            long[] words = cpus.toLongArray();
            MemorySegment.copy(words, 0, mask, ValueLayout.JAVA_LONG, 0, Math.min(words.length, WORDS));
            int result = DpdkCalls.threadSetAffinity(mask, WORDS);
            if (result != 0) {
                throw refused(cpus.toString(), result);
            }
        }
    }

    /// Pins the calling thread to one CPU.
    ///
    /// @throws DpdkException naming the CPUs that are allowed
    public static void pin(int cpu) {
        BitSet allowed = current();
        int result = cpu < 0 ? -22 : DpdkCalls.threadPin(cpu);
        if (result != 0) {
            throw new DpdkException("This thread cannot be pinned to CPU " + cpu + ": " + Errno.text(-result)
                    + ". It may use the CPUs " + allowed + "; choose one of them.");
        }
    }

    private static DpdkException refused(String cpus, int result) {
        return DpdkException.of("sched_setaffinity", "CPUs " + cpus, result, "Choose CPUs of this machine.");
    }

    /// Makes the calling thread known to DPDK, so that pools use its cache. Harmless when it is known.
    public static void registerThread() {
        int result = DpdkCalls.threadRegister();
        if (result != 0) {
            throw DpdkException.of(
                    "rte_thread_register", "this thread", result, "DPDK allows 128 threads per process.");
        }
    }

    /// Takes [#registerThread] back. To be called by the same thread before it ends.
    public static void unregisterThread() {
        DpdkCalls.threadUnregister();
    }
}
