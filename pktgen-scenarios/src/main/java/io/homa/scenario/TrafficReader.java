package io.homa.scenario;

import io.homa.fabric.WireFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/// Reads the list `traffic` of a scenario file.
final class TrafficReader {
    private static final List<String> PATTERNS = List.of(
            "poisson", "incast", "closed-loop", "permutation", "all-to-all", "all-reduce", "parameter-server", "burst");

    private final int hosts;
    private final long bitsPerSecond;
    private final WireFormat format;
    private final long seed;

    TrafficReader(int hosts, long bitsPerSecond, WireFormat format, long seed) {
        this.hosts = hosts;
        this.bitsPerSecond = bitsPerSecond;
        this.format = format;
        this.seed = seed;
    }

    /// A pattern and what it is called.
    record Named(String name, Pattern pattern) {}

    Named read(YamlMap map, int index) {
        String kind = map.oneOf("pattern", null, PATTERNS);
        String name = map.text("name", kind);
        long mine = seed * 1_000_003 + index;
        Pattern pattern = switch (kind) {
            case "poisson" -> poisson(map, mine);
            case "incast", "burst" -> {
                int[] to = map.hosts("to", kind.equals("incast") ? "0" : null, hosts);
                int[] from = map.hosts("from", "all", hosts);
                yield new Burst(from, to, size(map, "size"), map.get("every", null, Units::timePs));
            }
            case "closed-loop" -> closedLoop(map, mine);
            case "permutation" -> permutation(map, mine);
            case "parameter-server" -> {
                int[] servers = map.hosts("servers", null, hosts);
                int[] workers = map.hosts("hosts", null, hosts);
                requireDisjoint(map, workers, servers);
                yield new Collective(Collective.Kind.PARAMETER_SERVER, workers, servers, size(map, "size"));
            }
            default -> {
                Collective.Kind which = kind.equals("all-reduce")
                        ? Collective.Kind.RING_ALL_REDUCE
                        : Collective.Kind.valueOf(kind.replace('-', '_').toUpperCase(Locale.ROOT));
                yield new Collective(which, several(map, "hosts"), new int[0], size(map, "size"));
            }
        };
        map.end();
        return new Named(name, pattern);
    }

    private static int size(YamlMap map, String key) {
        return map.get(key, null, Units::bytes);
    }

    private int[] several(YamlMap map, String key) {
        int[] all = map.hosts(key, "all", hosts);
        if (all.length < 2) {
            throw map.wrong(key, "one host has nobody to talk to; allowed are 2 and more");
        }
        return all;
    }

    private static void requireDisjoint(YamlMap map, int[] workers, int[] servers) {
        for (int server : servers) {
            if (Arrays.binarySearch(workers, server) >= 0) {
                throw map.wrong("servers", "host " + server + " is a worker too");
            }
        }
    }

    private void requireOther(YamlMap map, int[] from, int[] to) {
        if (to.length == 1 && Arrays.binarySearch(from, to[0]) >= 0) {
            throw map.wrong("to", "host " + to[0] + " would send to itself");
        }
    }

    private Pattern poisson(YamlMap map, long mine) {
        Workload workload = map.get("workload", null, name -> {
            try {
                return Workload.of(name);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        double load = map.get("load", null, Units::share);
        if (load == 0) {
            throw map.wrong("load", "allowed are above 0% to 100%");
        }
        int[] from = map.hosts("from", "all", hosts);
        int[] to = map.hosts("to", "all", hosts);
        requireOther(map, from, to);
        return new PoissonTraffic(workload, load * bitsPerSecond / 8 * payloadShare(workload), from, to, mine);
    }

    /// Returns the payload's share of the bytes that messages take on a link.
    private double payloadShare(Workload workload) {
        double[] wire = {0};
        workload.forEachSize((size, probability) -> wire[0] += probability * format.messageWireBytes(size));
        return workload.mean() / wire[0];
    }

    private Pattern closedLoop(YamlMap map, long mine) {
        int[] from = map.hosts("from", "all", hosts);
        int[] to = map.hosts("to", "all", hosts);
        requireOther(map, from, to);
        int response = map.has("response") ? size(map, "response") : 0;
        int bytes = size(map, "size");
        if (response > 0 && Math.max(bytes, response) > 1_000_000) {
            throw map.wrong("response", "an exchange has up to 1MB in each direction");
        }
        return new ClosedLoop(from, to, bytes, response, map.integer("outstanding", "1", 1, 100_000), false, mine);
    }

    private Pattern permutation(YamlMap map, long mine) {
        int[] from = several(map, "hosts");
        // A cycle through all hosts in random order: nobody is his own partner.
        int[] order = from.clone();
        SplittableRandom random = new SplittableRandom(mine);
        for (int i = order.length - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int swapped = order[i];
            order[i] = order[other];
            order[other] = swapped;
        }
        int[] to = new int[order.length];
        for (int i = 0; i < order.length; i++) {
            to[i] = order[(i + 1) % order.length];
        }
        return new ClosedLoop(order, to, size(map, "size"), 0, map.integer("outstanding", "1", 1, 100_000), true, mine);
    }
}
