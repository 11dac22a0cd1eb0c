package io.homa.scenario;

import io.homa.memory.HotPath;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Every host sends messages to all others by chance: at times of a Poisson process, whatever becomes of earlier
/// ones, with sizes of a workload. One thread.
public final class PoissonTraffic implements Pattern {
    private final Workload workload;
    private final SplittableRandom[] random;
    private final double meanGapPs;

    private @Nullable Traffic traffic;

    /// @param bytesPerSecond message bytes that each host sends
    /// @param hosts 2 or more
    public PoissonTraffic(Workload workload, double bytesPerSecond, int hosts, long seed) {
        this.workload = workload;
        meanGapPs = workload.mean() / bytesPerSecond * 1e12;
        random = new SplittableRandom[hosts];
        SplittableRandom source = new SplittableRandom(seed);
        for (int i = 0; i < hosts; i++) {
            random[i] = source.split();
        }
    }

    @Override
    public void start(Traffic with) {
        traffic = with;
        for (int host = 0; host < random.length; host++) {
            scheduleNext(with, host);
        }
    }

    @HotPath
    private void scheduleNext(Traffic with, int host) {
        long atPs = with.nowPs() + Math.round(-Math.log(1 - random[host].nextDouble()) * meanGapPs);
        if (atPs < with.stopPs()) {
            with.at(atPs, host, 0);
        }
    }

    @Override
    @HotPath
    public void onTimer(int host, int value) {
        if (traffic == null) {
            throw new IllegalStateException("not started");
        }
        scheduleNext(traffic, host);
        int size = workload.sample(random[host]);
        int to = random[host].nextInt(random.length - 1);
        traffic.send(host, to >= host ? to + 1 : to, size, 0, 0);
    }

    @Override
    public void onDone(int transfer) {
        // Nothing follows from it.
    }

    @Override
    public void onLost(int transfer) {
        // The counts have it.
    }
}
