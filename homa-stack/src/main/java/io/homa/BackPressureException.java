package io.homa;

/// The blocking interface waited for room to send and found none in time: the receiver or the device does not
/// keep up.
public final class BackPressureException extends HomaException {
    private static final long serialVersionUID = 1L;

    BackPressureException(String message) {
        super(message);
    }
}
