package io.homa.scenario;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/// Measures what the calling thread allocates between two moments. One thread observes; any may read.
final class AllocationMeter {
    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    private boolean isOn;
    private long startBytes;
    private volatile long bytes;

    /// Starts or ends the measurement when `on` changes. Called again and again by the thread that is measured.
    void observe(boolean on) {
        if (on == isOn) {
            return;
        }
        isOn = on;
        long now = THREADS.getCurrentThreadAllocatedBytes();
        if (on) {
            startBytes = now;
        } else {
            bytes = now - startBytes;
        }
    }

    /// Returns what the last complete measurement found, in bytes.
    long bytes() {
        return bytes;
    }
}
