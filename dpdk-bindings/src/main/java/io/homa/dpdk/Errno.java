package io.homa.dpdk;

/// Texts of the error numbers that DPDK returns; the numbers are those of Linux.
final class Errno {
    static final int ENODEV = 19;

    private Errno() {}

    static String text(int number) {
        return switch (number) {
            case 1 -> "operation not permitted (EPERM)";
            case 2 -> "no such file, device or driver (ENOENT)";
            case 5 -> "input/output error (EIO)";
            case 11 -> "try again (EAGAIN)";
            case 12 -> "out of memory (ENOMEM)";
            case 13 -> "permission denied (EACCES)";
            case 16 -> "device or resource busy (EBUSY)";
            case 17 -> "exists already (EEXIST)";
            case ENODEV -> "no such device (ENODEV)";
            case 22 -> "invalid argument (EINVAL)";
            case 28 -> "no space left (ENOSPC)";
            case 95 -> "not supported (ENOTSUP)";
            case 98 -> "address in use (EADDRINUSE)";
            case 111 -> "connection refused (ECONNREFUSED)";
            case 114 -> "already in progress or done (EALREADY)";
            default -> "error " + number;
        };
    }
}
