package io.homa.engine;

/// Range checks of configuration values, with one wording.
final class Checks {
    private Checks() {}

    static void range(String name, long value, long low, long high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(name + " is " + value + "; allowed are " + low + " to " + high);
        }
    }
}
