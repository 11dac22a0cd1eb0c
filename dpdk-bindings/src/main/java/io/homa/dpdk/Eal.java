package io.homa.dpdk;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// DPDK's environment of this process: started at most once, shared by every port.
///
/// [#start] with an equal or smaller wish returns the running environment; a different one is refused, because
/// DPDK can be started only once per process. The caller's CPU affinity stays as it is, signal handlers stay the
/// JVM's, and nothing is written to standard output. Thread-safe.
public final class Eal {
    private static @Nullable Eal running;
    private static @Nullable String startFailure;

    private final EalConfig config;
    private final boolean usesHugePages;

    private Eal(EalConfig config, boolean usesHugePages) {
        this.config = config;
        this.usesHugePages = usesHugePages;
    }

    /// Starts the environment, or returns the one that runs.
    ///
    /// @throws DpdkException if the library is missing or does not fit, a CPU or the memory is not there, or DPDK
    ///     was started otherwise before
    public static synchronized Eal start(EalConfig config) {
        Eal current = running;
        if (current != null) {
            current.requireCovers(config);
            return current;
        }
        if (startFailure != null) {
            throw new DpdkException("DPDK failed to start earlier in this process and cannot be started again: "
                    + startFailure + " Start a new process.");
        }
        MbufLayout.check();
        BitSet cpus = ThreadAffinity.current();
        if (!cpus.get(config.mainCpu())) {
            throw new DpdkException(
                    "CPU " + config.mainCpu() + " is not one of this process's CPUs " + cpus + ". Choose one of them.");
        }
        boolean usesHugePages = HugePages.freeMegabytes() >= config.memoryMegabytes();
        int result = initialise(config, usesHugePages);
        if (result != 0) {
            startFailure = "rte_eal_init failed: " + Errno.text(-result) + ".";
            throw new DpdkException(startFailure
                    + " Set a log file (EalConfig.logFile) to see DPDK's own messages; lack of memory ("
                    + config.memoryMegabytes()
                    + " MB wanted) or of the right to lock it are the usual causes.");
        }
        Eal started = new Eal(config, usesHugePages);
        running = started;
        return started;
    }

    private static int initialise(EalConfig config, boolean usesHugePages) {
        try (Arena arena = Arena.ofShared()) {
            List<String> arguments = config.arguments(usesHugePages);
            MemorySegment vector = arena.allocate(ValueLayout.ADDRESS, arguments.size() + 1L);
            for (int i = 0; i < arguments.size(); i++) {
                vector.setAtIndex(ValueLayout.ADDRESS, i, arena.allocateFrom(arguments.get(i)));
            }
            MemorySegment log =
                    arena.allocateFrom(config.logFile().map(Object::toString).orElse(""));
            int[] result = {0};
            // DPDK marks the thread that starts it as its main core's; that must not be an application's.
            Thread starter = new Thread(() -> result[0] = DpdkCalls.ealInit(arguments.size(), vector, log), "homa-eal");
            starter.start();
            joinUninterruptibly(starter);
            return result[0];
        }
    }

    private static void joinUninterruptibly(Thread thread) {
        boolean isInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void requireCovers(EalConfig wish) {
        if (wish.memoryMegabytes() > config.memoryMegabytes()) {
            throw new DpdkException(
                    "DPDK runs in this process with " + config.memoryMegabytes() + " MB, and " + wish.memoryMegabytes()
                            + " MB are wanted now; it can be started only once. Start it first with the larger size.");
        }
        if (wish.pciAddress().isPresent() && !wish.pciAddress().equals(config.pciAddress())) {
            throw new DpdkException("DPDK runs in this process without the NIC "
                    + wish.pciAddress().get() + "; it can be started only once. Start it first with that NIC.");
        }
    }

    /// Says whether memory comes from huge pages.
    public boolean usesHugePages() {
        return usesHugePages;
    }

    /// Returns DPDK's version, such as `DPDK 22.11.11`.
    public static String version() {
        return DpdkCalls.version();
    }
}
