package io.homa.fabric.faults;

/// Something that must hold did not. The message says what, at which time, and for which RPC.
final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1;

    Violation(String message) {
        super(message);
    }
}
