package io.homa.bench.peer;

import io.homa.HomaAddress;
import io.homa.HomaConfig;
import io.homa.HomaTransport;
import io.homa.IdleMode;
import io.homa.net.IpAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/// The configuration of this stack in benchmarks: as an application would open it, on a virtio device in shared
/// memory, with the polling thread pinned.
final class HomaConfigs {
    static final int PORT = 4_000;
    static final String SERVER = "10.0.0.1";
    static final HomaAddress SERVER_ADDRESS = new HomaAddress(IpAddress.parse(SERVER), PORT);

    static final String CLIENT = "10.0.0.2";
    private static final Duration START_LIMIT = Duration.ofSeconds(20);
    private static final AtomicInteger SOCKETS = new AtomicInteger();

    private HomaConfigs() {}

    /// Returns a path for the socket of a device that no other run has.
    static Path newSocket(SideConfig side) {
        return side.directory()
                .resolve("dev-" + ProcessHandle.current().pid() + "-" + SOCKETS.incrementAndGet() + ".sock");
    }

    static HomaConfig.Builder server(SideConfig side, Path socket) {
        return HomaConfig.builder("vhost:" + socket, SERVER + "/24").mtu(side.mtu());
    }

    static HomaConfig.Builder client(SideConfig side, String socket) {
        return HomaConfig.builder("virtio:" + socket, CLIENT + "/24").mtu(side.mtu());
    }

    /// Spins on the side's CPU.
    static HomaConfig spinning(SideConfig side, HomaConfig.Builder builder) {
        return builder.cpu(side.cpu()).idle(IdleMode.SPIN).build();
    }

    /// Opens a client's transport and waits for the link.
    static HomaTransport open(HomaConfig config) {
        if (!HomaTransport.awaitSocket(config, START_LIMIT)) {
            throw new IllegalStateException("the server made no socket for " + config.device());
        }
        HomaTransport transport = HomaTransport.open(config);
        if (!transport.awaitLink(START_LIMIT)) {
            transport.close();
            throw new IllegalStateException("the link of " + config.device() + " did not come up");
        }
        return transport;
    }

    /// Closes a transport; every packet must be back.
    static void close(HomaTransport transport) {
        transport.close();
        if (transport.leakedPackets() != 0) {
            throw new IllegalStateException(transport.leakedPackets() + " packets leaked; this is a bug");
        }
    }
}
