package io.homa.dpdk;

/// DPDK, a device or the native library cannot do what was asked. The message says what failed, why, and what to
/// do about it.
public final class DpdkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DpdkException(String message) {
        super(message);
    }

    public DpdkException(String message, Throwable cause) {
        super(message, cause);
    }

    /// Makes the exception for a native call that returned `-errno`.
    static DpdkException of(String call, String subject, int result, String advice) {
        return new DpdkException(call + " failed for " + subject + ": " + Errno.text(-result) + ". " + advice);
    }
}
