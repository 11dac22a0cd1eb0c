package io.homa.bench;

import io.homa.cli.RunFailure;
import io.homa.dpdk.ThreadAffinity;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Which CPU each side gets, and where everything else of its process may run.
///
/// @param client CPU of the asking side
/// @param server CPU of the answering side
/// @param spare CPUs of this process that neither has
record Cores(int client, int server, List<Integer> spare) {
    /// Chooses the first two CPUs of this process, or those given.
    static Cores choose(List<Integer> wanted) {
        BitSet mine = ThreadAffinity.current();
        if (mine.cardinality() < 2) {
            throw new RunFailure("a comparison needs two CPUs, one for each side, and this process may use only " + mine
                    + ". Run it on a machine with two, or widen its CPU set (taskset, cgroup).");
        }
        for (int cpu : wanted) {
            if (cpu < 0 || !mine.get(cpu)) {
                throw new RunFailure("--cores names CPU " + cpu + "; this process may use " + mine);
            }
        }
        int first = wanted.isEmpty() ? mine.nextSetBit(0) : wanted.getFirst();
        int second = wanted.isEmpty() ? mine.nextSetBit(first + 1) : wanted.getLast();
        List<Integer> spare = mine.stream()
                .filter(cpu -> cpu != first && cpu != second)
                .boxed()
                .toList();
        return new Cores(first, second, spare);
    }

    /// Returns the command that confines a side's process: its threads that move data pin themselves to the side's
    /// CPU, and those of the JVM keep to the spare CPUs if there are some, never to the other side's.
    List<String> confine(int cpu) {
        String cpus = IntStream.concat(IntStream.of(cpu), spare.stream().mapToInt(Integer::intValue))
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(","));
        return List.of("taskset", "-c", cpus);
    }
}
