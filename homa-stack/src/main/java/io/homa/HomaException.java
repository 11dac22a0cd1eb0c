package io.homa;

/// Something the transport could not do. The message says what, why, and what to do about it.
public class HomaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public HomaException(String message) {
        super(message);
    }

    public HomaException(String message, Throwable cause) {
        super(message, cause);
    }
}
