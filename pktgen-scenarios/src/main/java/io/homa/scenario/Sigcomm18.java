package io.homa.scenario;

import io.homa.engine.EngineConfig;
import io.homa.engine.EngineFeatures;
import io.homa.engine.EngineLimits;
import io.homa.engine.GrantConfig;
import io.homa.engine.TimerConfig;
import io.homa.fabric.FabricConfig;
import io.homa.fabric.HomaSetup;
import io.homa.fabric.TransportSetup;
import io.homa.fabric.WireFormat;
import java.util.List;
import java.util.Locale;

/// A run of the SIGCOMM 2018 paper's simulation: 144 hosts, one workload, Poisson arrivals to uniform destinations.
/// Numbers that are not the paper's own are from PlatformLab/HomaSimulation, branch omnet_simulations,
/// `dcntopo/homaTransportConfig.ini`.
///
/// @param workload `W1` to `W5`
/// @param loadPercent share of the links that all bytes take, headers and grants included, 1 to 99
/// @param scheduledLevels priorities for scheduled packets, and messages granted at a time; the paper's by
///     [#publishedLevels]
/// @param usesPaperRules packets and rules of the paper; otherwise our own headers and the defaults of the engine
/// @param lengthPs time during which messages are sent
/// @param warmUpPs part of it at the start whose messages do not count
/// @param seed decides the run
public record Sigcomm18(
        String workload,
        int loadPercent,
        int scheduledLevels,
        boolean usesPaperRules,
        long lengthPs,
        long warmUpPs,
        long seed) {
    private static final long MS = 1_000_000_000L;
    private static final int PRIORITIES = 8;
    private static final int RTT_BYTES = 9_328;
    private static final long NEVER_TICKS = 1_000_000;

    /// Share of the wire bytes that is payload, W1 to W5.
    private static final double[] GOODPUT = {0.657, 0.796, 0.887, 0.898, 0.898};

    private static final int[] SCHEDULED_LEVELS = {1, 3, 4, 7, 7};
    /// Milliseconds of the published runs, and of the project's own cross-check of them.
    private static final int[] FULL_MS = {1_200, 3_000, 3_750, 3_750, 1_900};

    private static final int[] NIGHTLY_MS = {50, 100, 300, 600, 1_900};
    private static final int[] SMOKE_MS = {3, 6, 12, 16, 16};

    /// How long a run is.
    public enum Preset {
        SMOKE,
        NIGHTLY,
        FULL;

        /// Returns the time during which messages are sent.
        public long lengthPs(String workload) {
            int index = indexOf(workload);
            return MS
                    * switch (this) {
                        case SMOKE -> SMOKE_MS[index];
                        case NIGHTLY -> NIGHTLY_MS[index];
                        case FULL -> FULL_MS[index];
                    };
        }

        /// Returns the name as users write it.
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static int indexOf(String workload) {
        int index = Workload.PUBLISHED.indexOf(workload);
        if (index < 0) {
            throw new IllegalArgumentException("no workload '" + workload + "'; allowed are W1 to W5");
        }
        return index;
    }

    /// Returns the levels for scheduled packets that the paper gives a workload.
    public static int publishedLevels(String workload) {
        return SCHEDULED_LEVELS[indexOf(workload)];
    }

    /// Returns a run of the published set-up.
    public static Sigcomm18 of(String workload, int loadPercent, boolean usesPaperRules, Preset preset, long seed) {
        long length = preset.lengthPs(workload);
        return new Sigcomm18(
                workload, loadPercent, publishedLevels(workload), usesPaperRules, length, length / 10, seed);
    }

    /// Returns the same with another seed.
    public Sigcomm18 withSeed(long other) {
        return new Sigcomm18(workload, loadPercent, scheduledLevels, usesPaperRules, lengthPs, warmUpPs, other);
    }

    /// Returns the message bytes per second that each host sends.
    public double bytesPerSecond() {
        double bits = FabricConfig.sigcomm18(seed).topology().hostBitsPerSecond();
        return bits / 8 * loadPercent / 100 * GOODPUT[indexOf(workload)];
    }

    /// Returns the published slowdowns of this load; empty if there are none.
    public List<PublishedSlowdown.Bin> published() {
        return PublishedSlowdown.of(workload, loadPercent / 100.0, PublishedSlowdown.HOMA);
    }

    /// Returns the size classes of the published data for this workload.
    public SlowdownBins bins() {
        return new SlowdownBins(PublishedSlowdown.of(workload, 0.8, PublishedSlowdown.HOMA).stream()
                .mapToInt(PublishedSlowdown.Bin::upToBytes)
                .toArray());
    }

    /// Returns the longest message that the transport takes.
    int longestMessage() {
        return usesPaperRules ? Integer.MAX_VALUE : EngineConfig.MAX_MESSAGE_LENGTH;
    }

    TransportSetup transport() {
        return usesPaperRules ? paper() : real();
    }

    private TransportSetup paper() {
        int unscheduledLevels = scheduledLevels == publishedLevels(workload) ? PRIORITIES - scheduledLevels : 1;
        int levels = scheduledLevels + unscheduledLevels;
        int never = (int) NEVER_TICKS;
        EngineConfig config = EngineConfig.DEFAULT
                .withLinkBitsPerSecond(0)
                .withUnscheduledBytes(RTT_BYTES)
                .withGrants(new GrantConfig(RTT_BYTES, 1_000_000_000, scheduledLevels, 0, 50_000))
                // Nothing is lost, so nothing is asked for again.
                .withTimers(new TimerConfig(1_000_000, never, never, 2 * never, never, 10))
                .withLimits(new EngineLimits(16_384, 256, 4_096, 64, 0))
                .withFeatures(EngineFeatures.PAPER)
                .withPriorities(levels)
                .withSeed(seed);
        int[] cutoffs = PaperCutoffs.of(Workload.builtIn(workload), WireFormat.SIGCOMM18, levels, unscheduledLevels);
        return new HomaSetup(config, WireFormat.SIGCOMM18, cutoffs);
    }

    private TransportSetup real() {
        EngineConfig config = EngineConfig.DEFAULT
                .withLinkBitsPerSecond(FabricConfig.sigcomm18(seed).topology().hostBitsPerSecond())
                .withLimits(new EngineLimits(16_384, 256, 16_384, 4_096, 0))
                .withSeed(seed);
        return new HomaSetup(config, WireFormat.real(config.mtu(), config.unscheduledBytes()), null);
    }
}
