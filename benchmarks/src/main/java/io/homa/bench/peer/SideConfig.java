package io.homa.bench.peer;

import io.homa.dpdk.ThreadAffinity;
import java.nio.file.Path;

/// Where a side of a transport runs.
///
/// @param cpu CPU of the thread that moves data
/// @param mtu bytes of an IP packet, of transports that have packets of their own
/// @param directory for sockets and files of this run
public record SideConfig(int cpu, int mtu, Path directory) {
    /// Returns an unstarted daemon thread that runs on the side's CPU.
    Thread thread(String name, Runnable work) {
        return Thread.ofPlatform().daemon().name(name).unstarted(() -> {
            ThreadAffinity.pin(cpu);
            work.run();
        });
    }
}
