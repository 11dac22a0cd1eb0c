package io.homa.bench;

import io.homa.engine.EngineConfig;
import io.homa.engine.EngineLimits;
import java.util.Arrays;
import java.util.Locale;

/// What 100,000 outstanding RPCs to 10,000 peers cost, compared with one RPC to one peer: time per packet, and heap
/// per place in the tables. Both loads run on equal engines in turns, and only their ratio is a result.
///
/// Arguments: number of rounds (default 7) and steps of a load per round (default 1,000,000).
public final class ScaleBenchmark {
    private static final int PEERS = 10_000;
    private static final int OUTSTANDING = 100_000;
    private static final int BURST = 32;
    private static final int DEFAULT_ROUNDS = 7;
    private static final int DEFAULT_STEPS = 1_000_000;
    private static final EngineConfig CONFIG = EngineConfig.DEFAULT
            .withLinkBitsPerSecond(0)
            .withLimits(new EngineLimits(1 << 17, 1 << 14, 1_024, 1_024, 512));

    private ScaleBenchmark() {}

    public static void main(String[] arguments) {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : DEFAULT_ROUNDS;
        int steps = arguments.length > 1 ? Integer.parseInt(arguments[1]) : DEFAULT_STEPS;
        System.out.printf(
                Locale.ROOT,
                "heap per place: RPC %.0f bytes, peer %.0f bytes%n",
                TableMemory.bytesPerRpc(),
                TableMemory.bytesPerPeer());
        compare("in the order of the requests", false, 1, rounds, steps);
        compare("in the order of the requests", false, BURST, rounds, steps);
        compare("in random order", true, 1, rounds, steps);
        compare("in random order", true, BURST, rounds, steps);
    }

    private static void compare(String order, boolean isRandom, int burst, int rounds, int steps) {
        double[] ratios = new double[rounds];
        double[] one = new double[rounds];
        double[] many = new double[rounds];
        try (OutstandingLoad few = new OutstandingLoad(CONFIG, 1, 1, isRandom, 1);
                OutstandingLoad lots = new OutstandingLoad(CONFIG, PEERS, OUTSTANDING, isRandom, burst)) {
            nsPerPacket(few, steps);
            nsPerPacket(lots, steps);
            for (int i = 0; i < rounds; i++) {
                one[i] = nsPerPacket(few, steps);
                many[i] = nsPerPacket(lots, steps);
                ratios[i] = many[i] / one[i];
            }
        }
        Arrays.sort(ratios);
        Arrays.sort(one);
        Arrays.sort(many);
        System.out.printf(
                Locale.ROOT,
                "responses %s, %d at a time: %,d RPCs to %,d peers %.0f ns per packet, one RPC to one peer %.0f ns, "
                        + "ratio %.2f (median of %d rounds, %.2f to %.2f)%n",
                order,
                burst,
                OUTSTANDING,
                PEERS,
                many[rounds / 2],
                one[rounds / 2],
                ratios[rounds / 2],
                rounds,
                ratios[0],
                ratios[rounds - 1]);
    }

    private static double nsPerPacket(OutstandingLoad load, int steps) {
        long packets = load.packets();
        long startNs = System.nanoTime();
        load.run(steps);
        return (System.nanoTime() - startNs) / (double) (load.packets() - packets);
    }
}
