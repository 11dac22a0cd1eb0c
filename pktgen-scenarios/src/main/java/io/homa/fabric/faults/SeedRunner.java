package io.homa.fabric.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/// Runs many seeds, as many at a time as there are threads, and adds up what they found. Any thread reads the sums.
public final class SeedRunner {
    private final long firstSeed;
    private final long seeds;
    private final int rpcsPerSeed;
    private final AtomicLong nextSeed;
    private final AtomicLong done = new AtomicLong();
    private final List<SimulationOutcome> violations = new ArrayList<>();
    private final long[] faults = new long[Fault.values().length];
    private long rpcs;
    private long failed;
    private long packets;

    /// @param rpcsPerSeed RPCs of each run
    public SeedRunner(long firstSeed, long seeds, int rpcsPerSeed) {
        this.firstSeed = firstSeed;
        this.seeds = seeds;
        this.rpcsPerSeed = rpcsPerSeed;
        nextSeed = new AtomicLong(firstSeed);
    }

    /// Runs everything on `threads` threads, until the end or until `isCancelled`.
    public void run(int threads, BooleanSupplier isCancelled) {
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            workers.add(Thread.ofPlatform().daemon().name("sim-" + i).start(() -> work(isCancelled)));
        }
        for (Thread worker : workers) {
            boolean isJoined = false;
            while (!isJoined) {
                try {
                    worker.join();
                    isJoined = true;
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
        }
    }

    private void work(BooleanSupplier isCancelled) {
        for (long seed = nextSeed.getAndIncrement();
                seed < firstSeed + seeds && !isCancelled.getAsBoolean();
                seed = nextSeed.getAndIncrement()) {
            try (FaultSimulation simulation = new FaultSimulation(seed, rpcsPerSeed, null)) {
                add(simulation.run());
            }
        }
    }

    private synchronized void add(SimulationOutcome outcome) {
        rpcs += outcome.rpcs();
        failed += outcome.failed();
        packets += outcome.packets();
        for (int i = 0; i < faults.length; i++) {
            faults[i] += outcome.faults()[i];
        }
        if (outcome.violation() != null) {
            violations.add(outcome);
        }
        done.incrementAndGet();
    }

    /// Returns how many seeds have been run.
    public long done() {
        return done.get();
    }

    public synchronized long rpcs() {
        return rpcs;
    }

    /// Returns how many RPCs ended with an error.
    public synchronized long failed() {
        return failed;
    }

    public synchronized long packets() {
        return packets;
    }

    public synchronized long count(Fault fault) {
        return faults[fault.ordinal()];
    }

    /// Returns the runs in which something did not hold.
    public synchronized List<SimulationOutcome> violations() {
        return List.copyOf(violations);
    }
}
