package io.homa;

import io.homa.engine.EngineFuzz;
import io.homa.net.FrameFuzz;
import io.homa.wire.WireFuzz;
import java.util.Arrays;

/// All targets of the fuzzer in one, so that a short run starts only one JVM: the first byte of an input chooses.
public final class FuzzTargets {
    static final int WIRE = 0;
    static final int TEXT = 1;
    static final int FRAMES = 2;
    static final int ENGINE = 3;

    private FuzzTargets() {}

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        byte[] rest = Arrays.copyOfRange(input, 1, input.length);
        switch (input[0] & 3) {
            case WIRE -> WireFuzz.fuzzerTestOneInput(rest);
            case TEXT -> TextFuzz.fuzzerTestOneInput(rest);
            case FRAMES -> FrameFuzz.fuzzerTestOneInput(rest);
            default -> EngineFuzz.fuzzerTestOneInput(rest);
        }
    }

    public static void fuzzerTearDown() {
        FrameFuzz.fuzzerTearDown();
        EngineFuzz.fuzzerTearDown();
    }

    /// Returns the input that gives `bytes` to one of the targets.
    static byte[] input(int target, byte[] bytes) {
        byte[] input = new byte[1 + bytes.length];
        input[0] = (byte) target;
        System.arraycopy(bytes, 0, input, 1, bytes.length);
        return input;
    }
}
