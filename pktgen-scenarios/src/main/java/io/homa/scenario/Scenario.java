package io.homa.scenario;

import io.homa.engine.EngineConfig;
import io.homa.engine.EngineFeatures;
import io.homa.engine.EngineLimits;
import io.homa.fabric.FabricConfig;
import io.homa.fabric.FaultRates;
import io.homa.fabric.HomaSetup;
import io.homa.fabric.HostDelays;
import io.homa.fabric.Topology;
import io.homa.fabric.WireFormat;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A scenario file that has been read: network, traffic, faults, expectations.
public final class Scenario {
    /// Upper ends of the classes of message sizes in results.
    static final int[] SIZES = {
        100, 500, 1_500, 5_000, 10_000, 50_000, 100_000, 500_000, 1_000_000, 10_000_000, Integer.MAX_VALUE
    };

    private static final int MTU = 1_500;
    private static final int UNSCHEDULED_BYTES = 40_000;

    private final String file;
    private final String name;
    private final String description;
    private final long lengthPs;
    private final long warmUpPs;
    private final long seed;
    private final FabricConfig config;
    private final HomaSetup transport;
    private final List<TrafficReader.Named> traffic = new ArrayList<>();
    private final List<Expectation> expectations = new ArrayList<>();

    private Scenario(String file, YamlMap map, Overrides overrides) {
        this.file = file;
        name = map.text("name", null);
        description = map.text("description", "");
        map.oneOf("on", "simulated", List.of("simulated"));
        long fromFile = map.get("duration", "10ms", Units::timePs);
        lengthPs = overrides.lengthPs() == null ? fromFile : overrides.lengthPs();
        if (lengthPs < 1_000_000) {
            throw map.wrong("duration", "allowed are 1us and more");
        }
        warmUpPs = Math.min(map.get("warm-up", "0us", Units::timePs), lengthPs / 2);
        int seedOfFile = map.integer("seed", "1", 0, 999_999_999);
        seed = overrides.seed() == null ? seedOfFile : overrides.seed();
        YamlMap network = map.map("fabric");
        if (network == null) {
            throw map.wrong("fabric", "is missing, such as fabric: {hosts: 16, link: 25Gbps}");
        }
        FaultRates faults = faults(map.map("faults"));
        config = network(network, faults);
        transport = transport(network);
        network.end();
        TrafficReader reader = new TrafficReader(
                config.topology().hosts(), config.topology().hostBitsPerSecond(), transport.format(), seed);
        for (YamlMap entry : map.list("traffic")) {
            traffic.add(reader.read(entry, traffic.size()));
        }
        if (traffic.isEmpty()) {
            throw map.wrong("traffic", "is missing, such as traffic: [{pattern: poisson, workload: W3, load: 50%}]");
        }
        List<String> names = traffic.stream().map(TrafficReader.Named::name).toList();
        for (YamlMap entry : map.list("expect")) {
            expectations.add(Expectation.read(entry, names));
        }
        map.end();
    }

    /// What the command line has in place of the file's.
    ///
    /// @param lengthPs duration in picoseconds
    /// @param seed the seed
    public record Overrides(
            @Nullable Long lengthPs, @Nullable Long seed) {
        public static final Overrides NONE = new Overrides(null, null);
    }

    /// Reads a file's text.
    ///
    /// @throws ScenarioException with file, line and what is allowed if something in it is wrong
    public static Scenario parse(String file, String text, Overrides overrides) {
        return new Scenario(file, YamlMap.parse(file, text), overrides);
    }

    private static FaultRates faults(@Nullable YamlMap map) {
        if (map == null) {
            return FaultRates.NONE;
        }
        FaultRates rates = new FaultRates(
                map.get("drop", "0%", Units::share),
                map.get("reorder", "0%", Units::share),
                map.get("duplicate", "0%", Units::share));
        map.end();
        return rates;
    }

    private FabricConfig network(YamlMap map, FaultRates faults) {
        int hosts = map.integer("hosts", null, 2, 10_000);
        String kind = map.oneOf("topology", "single-switch", List.of("single-switch", "leaf-spine"));
        long link = rate(map, "link", "25Gbps");
        long delayPs = map.get("delay", "250ns", Units::timePs);
        Topology topology;
        if (kind.equals("leaf-spine")) {
            int racks = map.integer("racks", null, 2, hosts);
            int spines = map.integer("spines", null, 1, 64);
            if (hosts % racks != 0) {
                throw map.wrong("racks", "the " + hosts + " hosts do not fill " + racks + " racks evenly");
            }
            topology = new Topology(racks, hosts / racks, spines, link, rate(map, "core", "100Gbps"), delayPs, 0);
        } else {
            topology = Topology.singleSwitch(hosts, link, delayPs, 0);
        }
        boolean isSpraying =
                map.oneOf("routing", "spray", List.of("spray", "ecmp")).equals("spray");
        long buffer = map.get(
                "buffer",
                "unlimited",
                text -> text.equals("unlimited")
                        ? 0L
                        : (long) Units.bytes(text.endsWith(" shared") ? text.substring(0, text.length() - 7) : text));
        return new FabricConfig(topology, HostDelays.SIGCOMM18, isSpraying, buffer, 0, faults, seed);
    }

    private static long rate(YamlMap map, String key, String byDefault) {
        return map.get(key, byDefault, text -> {
            long rate = Units.bitsPerSecond(text);
            if (rate < 1_000_000 || rate > 1_000_000_000_000L) {
                throw new IllegalArgumentException("'" + text + "' is out of range; allowed are 1Mbps to 1000Gbps");
            }
            return rate;
        });
    }

    private HomaSetup transport(YamlMap map) {
        int priorities = map.integer("priorities", "8", 1, 8);
        int mtu = map.integer("mtu", String.valueOf(MTU), 576, 9_000);
        int unscheduled = map.get("unscheduled", UNSCHEDULED_BYTES + "B", Units::bytes);
        if (unscheduled > EngineConfig.MAX_MESSAGE_LENGTH) {
            throw map.wrong("unscheduled", "allowed are 1B to 1MB");
        }
        String features = map.oneOf("features", "all", List.of("all", "kernel"));
        EngineConfig engine = EngineConfig.DEFAULT
                .withMtu(mtu)
                .withLinkBitsPerSecond(config.topology().hostBitsPerSecond())
                .withPriorities(priorities)
                .withUnscheduledBytes(unscheduled)
                .withLimits(new EngineLimits(16_384, config.topology().hosts() + 16, 16_384, 16_384, 0))
                .withFeatures(features.equals("all") ? EngineFeatures.ALL : EngineFeatures.KERNEL)
                .withSeed(seed + 1);
        return new HomaSetup(engine, WireFormat.real(mtu, unscheduled), null);
    }

    public String name() {
        return name;
    }

    public String description() {
        return description;
    }

    public long lengthPs() {
        return lengthPs;
    }

    long warmUpPs() {
        return warmUpPs;
    }

    public long seed() {
        return seed;
    }

    String file() {
        return file;
    }

    Topology topology() {
        return config.topology();
    }

    List<Expectation> expectations() {
        return List.copyOf(expectations);
    }

    /// Returns its simulation. Only once: patterns have state.
    public FabricRun prepare() {
        IdealDelay ideal = new IdealDelay(config.topology(), config.delays());
        Traffic all = new Traffic(EngineConfig.MAX_MESSAGE_LENGTH, ideal, warmUpPs, lengthPs);
        List<TrafficCounts> counts = new ArrayList<>();
        for (TrafficReader.Named named : traffic) {
            TrafficCounts into = new TrafficCounts(named.name(), new SlowdownBins(SIZES));
            counts.add(into);
            all.add(named.pattern(), into);
        }
        return new FabricRun(config, transport, all, counts, warmUpPs, lengthPs, true);
    }
}
