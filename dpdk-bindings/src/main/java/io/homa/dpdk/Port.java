package io.homa.dpdk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/// One device with its queues, from making it to removing it.
///
/// Control calls may come from any thread, one at a time. Close the port after the last burst and before its pool.
public final class Port implements AutoCloseable {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final String[] STAGES = {
        "", "rte_eth_dev_configure", "rte_eth_rx_queue_setup", "rte_eth_tx_queue_setup", "rte_eth_dev_set_mtu"
    };

    private final DeviceSpec spec;
    private final String name;
    private final short port;
    private final QueuePair[] queues;
    private boolean isClosed;

    private Port(DeviceSpec spec, String name, int port, QueuePair[] queues) {
        this.spec = spec;
        this.name = name;
        this.port = (short) port;
        this.queues = queues;
    }

    /// Makes the device, sets its queues up on `pool` and starts it.
    ///
    /// @throws DpdkException naming the device, the failed call, the reason and what to do
    public static Port open(Eal eal, DeviceSpec spec, PortConfig config, MbufPool pool) {
        prepareSocket(spec);
        if (spec.kind() == DeviceKind.AF_PACKET) {
            requireMtu(spec, config.mtu());
        }
        String name = spec.name(NUMBER.getAndIncrement());
        int port = attach(spec, name, config);
        QueuePair[] queues = new QueuePair[config.queues()];
        for (int i = 0; i < queues.length; i++) {
            queues[i] = new QueuePair(port, i, spec.kind().makesSystemCalls());
        }
        Port opened = new Port(spec, name, port, queues);
        try {
            opened.configure(config, pool);
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
        return opened;
    }

    /// A process that was killed leaves its socket behind, and a new one cannot bind to it: removes a socket that
    /// nobody listens on.
    private static void prepareSocket(DeviceSpec spec) {
        switch (spec.kind()) {
            case VHOST -> removeStaleSocket(spec);
            case MEMIF -> {
                if ("server".equals(spec.options().get("role"))) {
                    removeStaleSocket(spec);
                } else {
                    requireSocket(spec);
                }
            }
            case VIRTIO -> requireSocket(spec);
            case PCAP -> {
                if (!Files.isReadable(Path.of(spec.target()))) {
                    throw new DpdkException("Device " + spec + ": the file is not readable. Check the path.");
                }
            }
            case PCI, TAP, AF_PACKET, AF_XDP, RING -> {}
        }
    }

    /// The kernel drops longer packets than its interface's MTU without a word.
    private static void requireMtu(DeviceSpec spec, int mtu) {
        int actual;
        try {
            actual = Integer.parseInt(Files.readString(Path.of("/sys/class/net", spec.target(), "mtu"))
                    .strip());
        } catch (IOException | NumberFormatException unknown) {
            return;
        }
        if (actual < mtu) {
            throw new DpdkException("Device " + spec + ": its MTU is " + actual + ", less than the " + mtu
                    + " wanted, so longer packets would be lost. Run: ip link set " + spec.target() + " mtu " + mtu
                    + "; or use MTU " + actual + ".");
        }
    }

    private static void requireSocket(DeviceSpec spec) {
        if (!Files.exists(spec.socket())) {
            throw new DpdkException("Device " + spec + ": there is no socket " + spec.target()
                    + ". Start the other side first; it makes the socket.");
        }
    }

    private static void removeStaleSocket(DeviceSpec spec) {
        Path socket = spec.socket();
        Path directory = socket.getParent();
        if (directory == null || !Files.isDirectory(directory)) {
            throw new DpdkException("Device " + spec + ": the directory of the socket does not exist. Make it first.");
        }
        if (!Files.isWritable(directory)) {
            throw new DpdkException("Device " + spec + ": no permission to make a socket in " + directory
                    + ". Choose a directory that this user may write to.");
        }
        if (!Files.exists(socket)) {
            return;
        }
        try (SocketChannel probe = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            throw new DpdkException("Device " + spec + ": another process listens on the socket ("
                    + probe.getRemoteAddress() + "). End it, or choose another path.");
        } catch (IOException nobodyListens) {
            try {
                Files.delete(socket);
            } catch (IOException e) {
                throw new DpdkException(
                        "Device " + spec + ": the socket is left over and cannot be removed: " + e.getMessage()
                                + ". Remove it by hand.",
                        e);
            }
        }
    }

    private static int attach(DeviceSpec spec, String name, PortConfig config) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment nativeName = arena.allocateFrom(name);
            int present = DpdkCalls.deviceFind(nativeName);
            if (present >= 0) {
                return present;
            }
            int port = DpdkCalls.deviceAttach(
                    arena.allocateFrom(spec.bus()),
                    nativeName,
                    arena.allocateFrom(spec.arguments(config.mtu(), config.queues())));
            if (port < 0) {
                throw DpdkException.of("rte_eal_hotplug_add", "device " + spec, port, advice(spec));
            }
            return port;
        }
    }

    private static String advice(DeviceSpec spec) {
        return switch (spec.kind()) {
            case PCI -> "Bind the NIC to vfio-pci (dpdk-devbind.py) and start DPDK with it; see ./homa doctor.";
            case TAP ->
                "A TAP needs /dev/net/tun and CAP_NET_ADMIN: run as root, or setcap cap_net_admin+ep on the java binary.";
            case AF_PACKET ->
                "The interface must exist and be up (ip link), and packet sockets need CAP_NET_RAW: run as root, "
                        + "or setcap cap_net_raw+ep on the java binary.";
            case AF_XDP -> "The interface must exist and be up (ip link); AF_XDP needs root.";
            case VHOST, VIRTIO, MEMIF -> "Check the socket path and that both sides run as users that may open it.";
            case RING, PCAP -> "Is the driver installed? On Debian or Ubuntu: apt-get install dpdk.";
        };
    }

    private void configure(PortConfig config, MbufPool pool) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment nativeConfig = arena.allocate(PortStructs.CONFIG_LENGTH, 8);
            MemorySegment stage = arena.allocate(ValueLayout.JAVA_INT);
            PortStructs.writeConfig(nativeConfig, config, pool.address());
            int result = DpdkCalls.portConfigure(port, nativeConfig, stage);
            if (result != 0) {
                throw DpdkException.of(
                        STAGES[stage.get(ValueLayout.JAVA_INT, 0)],
                        "device " + spec,
                        result,
                        "The driver refuses " + config + "; try fewer queues or another MTU.");
            }
        }
        int result = DpdkCalls.portStart(port);
        if (result != 0) {
            throw DpdkException.of("rte_eth_dev_start", "device " + spec, result, advice(spec));
        }
        if (spec.kind().makesSystemCalls()) {
            // The frames are for our address, which is not the one of the kernel's interface. Where this is not offered
            // it is not needed.
            DpdkCalls.portPromiscuous(port, true);
        }
    }

    /// Returns queue pair `index`, to be polled by one thread.
    public QueuePair queue(int index) {
        return queues[index];
    }

    public DeviceSpec spec() {
        return spec;
    }

    /// Returns what the driver says about the port.
    public PortInfo info() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(PortStructs.INFO_LENGTH, 8);
            int result = DpdkCalls.portInfo(port, out);
            if (result != 0) {
                throw DpdkException.of("rte_eth_dev_info_get", "device " + spec, result, "Is the device still there?");
            }
            return PortStructs.readInfo(out);
        }
    }

    /// Returns the port's counts.
    public PortStats stats() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(PortStructs.STATS_LENGTH, 8);
            int result = DpdkCalls.portStats(port, out);
            if (result != 0) {
                throw DpdkException.of("rte_eth_stats_get", "device " + spec, result, "Is the device still there?");
            }
            return PortStructs.readStats(out);
        }
    }

    /// Says whether the other side is there.
    public boolean isLinkUp() {
        return DpdkCalls.portLink(port) == 1;
    }

    /// Returns the speed of the link in bit/s, or 0 if the device does not know.
    public long linkBitsPerSecond() {
        return DpdkCalls.portSpeed(port) * 1_000_000L;
    }

    /// Stops and removes the device. Calling it again does nothing.
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        DpdkCalls.portStop(port);
        DpdkCalls.portClose(port);
        try (Arena arena = Arena.ofConfined()) {
            DpdkCalls.deviceDetach(arena.allocateFrom(spec.bus()), arena.allocateFrom(name));
        }
        for (QueuePair queue : queues) {
            queue.close();
        }
    }
}
