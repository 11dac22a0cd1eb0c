package io.homa.rules;

import io.homa.memory.HotPath;
import java.util.function.IntSupplier;

/// Breaks each rule of the hot path once, in a method named for it. The methods named `allowed…` break none.
final class HotPathFixture {
    enum Mode {
        ONE,
        TWO
    }

    private int count;

    @HotPath
    Object createsAnObject() {
        return new Object();
    }

    @HotPath
    int createsAnArray(int length) {
        return new int[length].length;
    }

    @HotPath
    int passesVarargs(int value) {
        return sum(value, value);
    }

    @HotPath
    Object boxes(long value) {
        return value;
    }

    @HotPath
    String buildsAString(int value) {
        return "value " + value;
    }

    @HotPath
    IntSupplier buildsALambda() {
        return () -> count;
    }

    @HotPath
    void locks() {
        synchronized (this) {
            count++;
        }
    }

    @HotPath
    synchronized void isSynchronized() {
        count++;
    }

    @HotPath
    int allowedSwitch(Mode mode) {
        return switch (mode) {
            case ONE -> 1;
            case TWO -> 2;
        };
    }

    @HotPath
    void allowedException(int value) {
        assert value != 7;
        if (value < 0) {
            throw new IllegalStateException("negative");
        }
        count += value;
    }

    /// Not marked.
    Object allowedElsewhere() {
        return new int[] {count};
    }

    private static int sum(int... values) {
        return values.length;
    }

    /// Marked as a whole.
    @HotPath
    static final class HotType {
        private final int[] values;

        HotType() {
            values = new int[4]; // A constructor runs at start.
        }

        Object boxesInAHotType() {
            return values[0];
        }
    }
}
