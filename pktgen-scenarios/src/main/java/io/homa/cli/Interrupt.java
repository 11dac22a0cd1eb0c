package io.homa.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Turns SIGINT and SIGTERM into a flag, and holds the exit back until the command has ended properly.
public final class Interrupt implements AutoCloseable {
    /// Long enough to drain requests and to close a device.
    private static final int PATIENCE_SECONDS = 10;

    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hook;
    private volatile boolean isRequested;

    public Interrupt() {
        hook = new Thread(this::onShutdown, "homa-interrupt");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void onShutdown() {
        isRequested = true;
        try {
            boolean _ = ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Says whether the process was asked to end.
    public boolean isRequested() {
        return isRequested;
    }

    @Override
    public void close() {
        ended.countDown();
        if (!isRequested) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The process is ending already; the latch is all that the hook waits for.
                isRequested = true;
            }
        }
    }
}
