package io.homa.scenario;

import io.homa.memory.HotPath;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Hosts send messages to others by chance: at times of a Poisson process, whatever becomes of earlier ones, with
/// sizes of a workload. One thread.
public final class PoissonTraffic implements Pattern {
    private final Workload workload;
    private final int[] from;
    private final int[] to;
    private final SplittableRandom[] random;
    private final double meanGapPs;

    private @Nullable Traffic traffic;

    /// @param bytesPerSecond message bytes that each host sends
    /// @param hosts all of them send, to all others; 2 or more
    public PoissonTraffic(Workload workload, double bytesPerSecond, int hosts, long seed) {
        this(
                workload,
                bytesPerSecond,
                IntStream.range(0, hosts).toArray(),
                IntStream.range(0, hosts).toArray(),
                seed);
    }

    /// @param bytesPerSecond message bytes that each sender sends
    /// @param from senders
    /// @param to receivers, at least one for each sender that is not the sender itself
    public PoissonTraffic(Workload workload, double bytesPerSecond, int[] from, int[] to, long seed) {
        this.workload = workload;
        this.from = from.clone();
        this.to = to.clone();
        meanGapPs = workload.mean() / bytesPerSecond * 1e12;
        random = new SplittableRandom[from.length];
        SplittableRandom source = new SplittableRandom(seed);
        for (int i = 0; i < from.length; i++) {
            random[i] = source.split();
        }
    }

    @Override
    public void start(Traffic with) {
        traffic = with;
        for (int i = 0; i < from.length; i++) {
            scheduleNext(with, i);
        }
    }

    @HotPath
    private void scheduleNext(Traffic with, int sender) {
        long atPs = with.nowPs() + Math.round(-Math.log(1 - random[sender].nextDouble()) * meanGapPs);
        if (atPs < with.stopPs()) {
            with.at(atPs, from[sender], sender);
        }
    }

    @Override
    @HotPath
    public void onTimer(int host, int sender) {
        if (traffic == null) {
            throw new IllegalStateException("not started");
        }
        scheduleNext(traffic, sender);
        int size = workload.sample(random[sender]);
        int receiver = to[random[sender].nextInt(to.length)];
        while (receiver == host) {
            receiver = to[random[sender].nextInt(to.length)];
        }
        traffic.send(host, receiver, size, 0, 0);
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
