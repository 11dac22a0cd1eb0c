package io.homa.bench.load;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What may have kept a polling thread from polling: counts of Linux and the JVM, since they were started or, as a
/// difference, in a measurement. A cause that does not occur is excluded; one that does is suspected.
///
/// @param preemptions times that the scheduler took the CPU from the thread (`nonvoluntary_ctxt_switches`)
/// @param pageFaults faults of the thread, with and without reading from disk
/// @param collections garbage collections of the process, each of which stops all threads
/// @param compilationMs time that the JVM's compilers worked; they may have needed the thread's CPU
/// @param stolenMs time that the hypervisor gave this machine's CPUs to others, in steps of 10 ms
public record Stalls(
        @JsonProperty("preemptions") long preemptions,
        @JsonProperty("pageFaults") long pageFaults,
        @JsonProperty("collections") long collections,
        @JsonProperty("compilationMs") long compilationMs,
        @JsonProperty("stolenMs") long stolenMs) {

    /// Of a thread that nobody watched.
    public static final Stalls NONE = new Stalls(0, 0, 0, 0, 0);

    private static final int STAT_MINOR_FAULTS = 7;
    private static final int STAT_MAJOR_FAULTS = 9;
    private static final int STOLEN_COLUMN = 8;
    private static final int MS_PER_CLOCK_TICK = 10;

    /// Returns the counts so far of the calling thread. Allocates and makes system calls.
    public static Stalls now() {
        long collections = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
        @Nullable CompilationMXBean compilation = ManagementFactory.getCompilationMXBean();
        long compilationMs = compilation == null ? 0 : compilation.getTotalCompilationTime();
        try {
            Path thread = Path.of("/proc/thread-self");
            long preemptions = Files.readAllLines(thread.resolve("status")).stream()
                    .filter(line -> line.startsWith("nonvoluntary_ctxt_switches:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                    .sum();
            String stat = Files.readString(thread.resolve("stat"));
            // Behind the name, which may hold spaces.
            List<String> fields =
                    List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
            long faults = Long.parseLong(fields.get(STAT_MINOR_FAULTS)) + Long.parseLong(fields.get(STAT_MAJOR_FAULTS));
            String all = Files.readAllLines(Path.of("/proc/stat")).getFirst();
            long stolenMs = Long.parseLong(all.split(" +", -1)[STOLEN_COLUMN]) * MS_PER_CLOCK_TICK;
            return new Stalls(preemptions, faults, collections, compilationMs, stolenMs);
        } catch (IOException e) {
            return new Stalls(0, 0, collections, compilationMs, 0);
        }
    }

    /// Returns what happened since `earlier`.
    public Stalls since(Stalls earlier) {
        return new Stalls(
                preemptions - earlier.preemptions,
                pageFaults - earlier.pageFaults,
                collections - earlier.collections,
                compilationMs - earlier.compilationMs,
                stolenMs - earlier.stolenMs);
    }

    /// Returns what happened here and there together.
    public Stalls plus(Stalls other) {
        return new Stalls(
                preemptions + other.preemptions,
                pageFaults + other.pageFaults,
                collections + other.collections,
                compilationMs + other.compilationMs,
                stolenMs + other.stolenMs);
    }

    @Override
    public String toString() {
        return preemptions + " preemptions, " + pageFaults + " page faults, " + collections + " collections, "
                + compilationMs + " ms of compilation, " + stolenMs + " ms stolen by the hypervisor";
    }
}
