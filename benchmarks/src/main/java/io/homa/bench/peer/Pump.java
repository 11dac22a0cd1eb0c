package io.homa.bench.peer;

import io.homa.bench.load.Load;
import io.homa.bench.load.LoadGenerator;
import io.homa.bench.load.LoadResult;
import org.jspecify.annotations.Nullable;

/// A thread, pinned to the side's CPU, that polls a transport until it is closed, and on which the load of a client
/// runs. For transports that have no polling thread of their own.
final class Pump implements AutoCloseable {
    private static final int CLOSE_MS = 5_000;

    /// One cycle of a transport: takes what has arrived, then lets the load send, if there is one.
    interface Cycle {
        void run(@Nullable LoadGenerator load) throws Exception;

        /// Called on the thread before the first cycle.
        default void begin() {}

        /// Called on the thread after the last cycle.
        default void end() {}
    }

    private final Cycle cycle;
    private final Thread thread;
    private volatile @Nullable LoadGenerator load;
    private volatile boolean isClosing;
    private volatile @Nullable Exception failure;

    Pump(SideConfig config, String name, Cycle cycle) {
        this.cycle = cycle;
        thread = config.thread(name, this::pump);
        thread.start();
    }

    private void pump() {
        cycle.begin();
        try {
            while (!isClosing) {
                LoadGenerator current = load;
                // One that is done stays until the next: to clear it here could clear the next one.
                cycle.run(current == null || current.isDone() ? null : current);
            }
        } catch (Exception e) {
            failure = e;
            LoadGenerator current = load;
            if (current != null) {
                current.fail(e.toString());
            }
        } finally {
            cycle.end();
        }
    }

    /// Runs a load on the thread and waits for it.
    LoadResult run(Load wanted) throws InterruptedException {
        Exception earlier = failure;
        if (earlier != null) {
            throw new IllegalStateException("the transport failed: " + earlier, earlier);
        }
        LoadGenerator generator = new LoadGenerator(wanted);
        load = generator;
        return generator.await();
    }

    @Override
    public void close() {
        isClosing = true;
        try {
            thread.join(CLOSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
