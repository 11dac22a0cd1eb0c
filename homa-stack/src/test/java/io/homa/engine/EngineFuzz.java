package io.homa.engine;

import io.homa.testing.FuzzInput;
import io.homa.testing.GuardedPool;

/// Target of a fuzzer: a life of an engine per input, from the first packet until nothing is left of it. See
/// `docs/testing.md`.
public final class EngineFuzz {
    private static final GuardedPool POOL = new GuardedPool(256, 1_600);
    private static long inputs;
    private static long packets;

    private EngineFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        FuzzInput in = new FuzzInput(input);
        try (FuzzedEngine host = new FuzzedEngine(POOL, in.nextByte())) {
            host.run(in);
            host.drain();
            packets += host.received();
            inputs++;
        }
    }

    public static void fuzzerTearDown() {
        System.out.println("fuzzed packets of the engine: " + packets + " in " + inputs + " lives of it");
    }
}
