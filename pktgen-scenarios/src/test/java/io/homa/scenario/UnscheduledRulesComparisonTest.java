package io.homa.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.engine.EngineConfig;
import io.homa.engine.EngineFeatures;
import io.homa.engine.EngineLimits;
import io.homa.fabric.Application;
import io.homa.fabric.Fabric;
import io.homa.fabric.FabricConfig;
import io.homa.fabric.HomaSetup;
import io.homa.fabric.HostDelays;
import io.homa.fabric.Topology;
import io.homa.fabric.WireFormat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Rules about unscheduled bytes beside the kernel module's, in the same simulated network: one switch, links of
/// 10 Gbit/s. Figures are printed.
class UnscheduledRulesComparisonTest {
    private static final long MS = 1_000_000_000L;
    private static final long LINK = 10_000_000_000L;
    private static final EngineFeatures NONE = new EngineFeatures(true, true, false, false, false, false);
    private static final EngineFeatures INCAST = new EngineFeatures(true, true, true, false, false, false);
    private static final EngineFeatures LIMITS = new EngineFeatures(true, true, false, true, false, false);
    private static final EngineFeatures CUTOFFS = new EngineFeatures(true, true, false, false, true, false);

    private static HomaSetup homa(EngineFeatures features) {
        EngineConfig config = EngineConfig.DEFAULT
                .withLinkBitsPerSecond(LINK)
                .withLimits(new EngineLimits(2_048, 64, 8_192, 4_096, 0))
                .withFeatures(features);
        return new HomaSetup(config, WireFormat.real(1_500, config.unscheduledBytes()), null);
    }

    private static FabricConfig network(int hosts, long bufferBytes) {
        Topology topology = Topology.singleSwitch(hosts, LINK, 250_000, 50_000);
        return new FabricConfig(topology, HostDelays.SIGCOMM18, true, bufferBytes, 0, 1);
    }

    /// Keeps a number of requests outstanding.
    private abstract static class ClosedLoop implements Application {
        @Nullable
        Fabric fabric;

        long bytes;
        int failures;

        Fabric fabric() {
            if (fabric == null) {
                throw new IllegalStateException("not started");
            }
            return fabric;
        }

        @Override
        public void onTimer(int host, long value) {}

        @Override
        public void onMessage(int host, int message) {}

        @Override
        public void onFailure(int host, int message) {
            failures++;
        }
    }

    /// One client, 40 servers, answers of 10 KB.
    private static final class Incast extends ClosedLoop {
        private static final int SERVERS = 40;
        private static final int ANSWER = 10_000;

        @Override
        public void onAnswer(int host, int message) {
            bytes += ANSWER;
            fabric().send(0, fabric().messages().to(message), 100, ANSWER, 0);
        }

        static double[] goodputAndDrops(EngineFeatures features, int outstanding) {
            Incast load = new Incast();
            try (Fabric net = new Fabric(network(SERVERS + 1, 500_000), homa(features), load)) {
                load.fabric = net;
                for (int i = 0; i < outstanding; i++) {
                    net.send(0, 1 + i % SERVERS, 100, ANSWER, 0);
                }
                net.run(10 * MS);
                load.bytes = 0;
                net.resetStatistics();
                net.run(40 * MS);
                assertEquals(0, load.failures);
                return new double[] {
                    load.bytes * 8 / 30e-3 / LINK, net.statistics().drops()
                };
            }
        }
    }

    @Test
    void incastControlKeepsTheLinkBusyWithoutDrops() {
        double[] kernel = Incast.goodputAndDrops(NONE, 1_000);
        double[] controlled = Incast.goodputAndDrops(INCAST, 1_000);
        System.out.printf(
                "incast, 1000 outstanding: goodput %.1f %% of the link and %.0f drops; without control %.1f %%, %.0f%n",
                100 * controlled[0], controlled[1], 100 * kernel[0], kernel[1]);
        assertTrue(controlled[0] >= 0.9, "goodput " + controlled[0]);
        assertTrue(controlled[1] * 10 < kernel[1], "drops " + controlled[1] + " instead of " + kernel[1]);
    }

    /// Twenty clients send requests of 40 KB, all unscheduled, to one server, two at a time each.
    private static final class Flood extends ClosedLoop {
        private static final int CLIENTS = 20;
        private static final int REQUEST = 40_000;

        @Override
        public void onAnswer(int host, int message) {
            bytes += REQUEST;
            fabric().send(host, 0, REQUEST, 10, 0);
        }

        static double[] goodputAndDrops(EngineFeatures features) {
            Flood load = new Flood();
            try (Fabric net = new Fabric(network(CLIENTS + 1, 300_000), homa(features), load)) {
                load.fabric = net;
                for (int i = 0; i < 2 * CLIENTS; i++) {
                    net.send(1 + i % CLIENTS, 0, REQUEST, 10, 0);
                }
                net.run(20 * MS);
                load.bytes = 0;
                net.resetStatistics();
                net.run(60 * MS);
                assertEquals(0, load.failures);
                return new double[] {
                    load.bytes * 8 / 40e-3 / LINK, net.statistics().drops()
                };
            }
        }
    }

    @Test
    void limitsPerPeerSaveWhatUnscheduledBytesLose() {
        double[] kernel = Flood.goodputAndDrops(NONE);
        double[] limited = Flood.goodputAndDrops(LIMITS);
        System.out.printf(
                "20 clients, 40 KB requests: goodput %.1f %% of the link and %.0f drops; with one limit for all %.1f %%,"
                        + " %.0f%n",
                100 * limited[0], limited[1], 100 * kernel[0], kernel[1]);
        assertTrue(limited[1] * 2 < kernel[1], "drops " + limited[1] + " instead of " + kernel[1]);
        assertTrue(limited[0] >= kernel[0] * 0.98, "goodput " + limited[0] + " instead of " + kernel[0]);
    }

    /// Returns the bytes of messages in a byte on the link.
    private static double payloadShare(Workload workload) {
        WireFormat format = WireFormat.real(1_500, EngineConfig.DEFAULT.unscheduledBytes());
        double[] wireBytes = {0};
        workload.forEachSize((size, probability) -> wireBytes[0] += probability * format.messageWireBytes(size));
        return workload.mean() / wireBytes[0];
    }

    /// Returns the 99th percentile of the slowdown of W1's messages of 201 to 1,000 bytes at 80 % load.
    private static double shortMessages(EngineFeatures features) {
        Workload workload = Workload.builtIn("W1");
        FabricConfig network = network(10, 0);
        SlowdownBins slowdowns = new SlowdownBins(new int[] {200, 1_000, 1_000_000});
        IdealDelay ideal = new IdealDelay(network.topology(), network.delays());
        Traffic traffic = new Traffic(EngineConfig.MAX_MESSAGE_LENGTH, ideal, 10 * MS, 30 * MS);
        TrafficCounts counts = new TrafficCounts("W1", slowdowns);
        traffic.add(new PoissonTraffic(workload, 0.8 * LINK / 8 * payloadShare(workload), 10, 5), counts);
        try (Fabric net = new Fabric(network, homa(features), traffic)) {
            traffic.start(net);
            net.run(60 * MS);
            assertEquals(0, traffic.open());
        }
        return slowdowns.percentile(1, 99);
    }

    @Test
    void adaptiveCutoffsServeShortMessages() {
        double kernel = shortMessages(NONE);
        double adaptive = shortMessages(CUTOFFS);
        System.out.printf(
                "W1 at 80 %% load, messages of 201 to 1000 B: p99 slowdown %.2f, with fixed cutoffs %.2f%n",
                adaptive, kernel);
        assertTrue(adaptive < kernel);
    }
}
