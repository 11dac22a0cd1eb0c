package io.homa.scenario;

import io.homa.fabric.Application;
import io.homa.fabric.Fabric;
import io.homa.fabric.MessageTable;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Every host sends messages to all others by chance: at times of a Poisson process, whatever becomes of earlier
/// ones, with sizes of a workload. One thread.
public final class PoissonTraffic implements Application {
    private final Workload workload;
    private final IdealDelay ideal;
    private final SlowdownBins slowdowns;
    private final SplittableRandom[] random;
    private final double meanGapPs;
    private final long measureFromPs;
    private final long stopPs;

    private @Nullable Fabric fabric;
    private long sentMessages;
    private long sentBytes;
    private long receivedMessages;
    private long receivedBytes;

    /// @param bytesPerSecond message bytes that each host sends
    /// @param measureFromPs messages from then on count
    /// @param stopPs no message is sent from then on
    public PoissonTraffic(
            Workload workload,
            double bytesPerSecond,
            int hosts,
            IdealDelay ideal,
            SlowdownBins slowdowns,
            long measureFromPs,
            long stopPs,
            long seed) {
        this.workload = workload;
        this.ideal = ideal;
        this.slowdowns = slowdowns;
        this.measureFromPs = measureFromPs;
        this.stopPs = stopPs;
        meanGapPs = workload.mean() / bytesPerSecond * 1e12;
        random = new SplittableRandom[hosts];
        SplittableRandom source = new SplittableRandom(seed);
        for (int i = 0; i < hosts; i++) {
            random[i] = source.split();
        }
    }

    /// Begins on `onto`, whose application this is.
    public void start(Fabric onto) {
        fabric = onto;
        for (int host = 0; host < random.length; host++) {
            scheduleNext(onto, host);
        }
    }

    private void scheduleNext(Fabric onto, int host) {
        long atPs = onto.nowPs() + Math.round(-Math.log(1 - random[host].nextDouble()) * meanGapPs);
        if (atPs < stopPs) {
            onto.at(atPs, host, 0);
        }
    }

    private Fabric fabric() {
        if (fabric == null) {
            throw new IllegalStateException("not started");
        }
        return fabric;
    }

    @Override
    public void onTimer(int host, long value) {
        Fabric net = fabric();
        scheduleNext(net, host);
        int size = workload.sample(random[host]);
        int to = random[host].nextInt(random.length - 1);
        sentMessages++;
        sentBytes += size;
        net.send(host, to >= host ? to + 1 : to, size, 0, 0);
    }

    @Override
    public void onMessage(int host, int message) {
        Fabric net = fabric();
        MessageTable messages = net.messages();
        int length = messages.length(message);
        receivedMessages++;
        receivedBytes += length;
        long startPs = messages.startPs(message);
        if (startPs >= measureFromPs) {
            slowdowns.record(length, net.nowPs() - startPs, ideal.ps(messages.from(message), host, length));
        }
    }

    @Override
    public void onAnswer(int host, int message) {
        throw new IllegalStateException("nobody asked for an answer");
    }

    @Override
    public void onFailure(int host, int message) {
        throw new IllegalStateException("host " + host + " lost a message");
    }

    public long sentMessages() {
        return sentMessages;
    }

    public long sentBytes() {
        return sentBytes;
    }

    public long receivedMessages() {
        return receivedMessages;
    }

    public long receivedBytes() {
        return receivedBytes;
    }
}
