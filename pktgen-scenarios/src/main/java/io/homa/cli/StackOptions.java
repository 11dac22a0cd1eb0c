package io.homa.cli;

import io.homa.HomaConfig;
import io.homa.HomaTransport;
import io.homa.IdleMode;
import io.homa.dpdk.DeviceKind;
import io.homa.dpdk.DeviceSpec;
import io.homa.net.HeaderOptions;
import io.homa.net.IpAddress;
import io.homa.net.NetConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/// Options of every command that opens a device.
final class StackOptions {
    /// Long enough on any machine that is not overloaded.
    private static final Duration FIRST_PATIENCE = Duration.ofSeconds(2);

    @CommandLine.Spec(CommandLine.Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything runs
    private CommandSpec spec;

    @Option(
            names = "--device",
            paramLabel = "SPEC",
            converter = Device.class,
            description = "Device: vhost:PATH, virtio:PATH, memif:PATH[,role=server], tap:IF, af_packet:IF, af_xdp:IF,"
                    + " pci:ADDRESS, ring: or pcap:FILE. Default: a socket in this user's runtime directory.")
    @Nullable
    DeviceSpec device;

    @Option(
            names = "--address",
            paramLabel = "CIDR",
            converter = Net.class,
            description = "Own IPv4 address with prefix, such as 10.0.0.1/24. Default: ${DEFAULT-VALUE}.")
    @Nullable
    NetConfig address;

    @Option(
            names = "--mtu",
            paramLabel = "BYTES",
            defaultValue = "1500",
            description = "Bytes of an IP packet, 576 to 9000. Default: ${DEFAULT-VALUE}.")
    int mtu = 1500;

    @Option(
            names = "--core",
            paramLabel = "CPU",
            description = "CPU to pin the polling thread to. Default: not pinned.")
    int core = HomaConfig.UNPINNED;

    @Option(
            names = "--idle",
            paramLabel = "MODE",
            description = "Without work: ${COMPLETION-CANDIDATES}. Default: spin with --core, else yield.")
    @Nullable
    IdleMode idle;

    @Option(
            names = "--mac",
            paramLabel = "MAC",
            converter = Mac.class,
            description = "Own hardware address. Default: 02:00 and the IPv4 address.")
    @Nullable
    Long mac;

    @Option(
            names = "--gateway",
            paramLabel = "IP",
            converter = Ip.class,
            description = "Router for addresses outside the subnet.")
    @Nullable
    Integer gateway;

    @Option(
            names = "--neighbor",
            paramLabel = "IP=MAC",
            description = "Hardware address of a host that shall not be asked by ARP; may be repeated.")
    Map<String, String> neighbors = new LinkedHashMap<>();

    @Option(
            names = "--hijack-tcp",
            description = "Send as IP protocol 6 and accept Homa that comes so, like the kernel module's hijack_tcp:"
                    + " for NICs and networks that treat only TCP well.")
    boolean hijacksTcp;

    @Option(
            names = "--pool",
            paramLabel = "PACKETS",
            description = "Packets for everything received, sent and kept, 1024 to 4194304. Default: ${DEFAULT-VALUE}.")
    int poolPackets = 65_536;

    @Option(
            names = "--loss",
            paramLabel = "SHARE",
            hidden = true,
            description = "Share of received frames to lose on purpose, for tests.")
    double loss;

    /// Checks the options together and returns the configuration.
    HomaConfig config(DeviceSpec defaultDevice, String defaultAddress) {
        DeviceSpec chosen = device == null ? defaultDevice : device;
        NetConfig net = address == null ? NetConfig.of(defaultAddress) : address;
        if (mac != null) {
            net = net.withMac(mac);
        }
        if (gateway != null) {
            net = net.withGateway(gateway);
        }
        net = net.withStaticNeighbours(parseNeighbors())
                .withHeaders(hijacksTcp ? HeaderOptions.HIJACKING : HeaderOptions.DEFAULT);
        IdleMode mode = idle != null ? idle : core == HomaConfig.UNPINNED ? IdleMode.YIELD : IdleMode.SPIN;
        require("--mtu", mtu, 576, 9_000);
        require("--core", core, HomaConfig.UNPINNED, Runtime.getRuntime().availableProcessors() - 1);
        require("--pool", poolPackets, 1_024, 1 << 22);
        if (!(loss >= 0 && loss < 1)) {
            throw new ParameterException(
                    spec.commandLine(), "Invalid value for option '--loss': " + loss + "; allowed are 0 to below 1");
        }
        return HomaConfig.builder(chosen.toString(), defaultAddress)
                .net(net)
                .mtu(mtu)
                .cpu(core)
                .idle(mode)
                .poolPackets(poolPackets)
                .lossProbability(loss)
                .build();
    }

    private void require(String option, long value, long low, long high) {
        if (value < low || value > high) {
            throw new ParameterException(
                    spec.commandLine(),
                    "Invalid value for option '" + option + "': " + value + "; allowed are " + low + " to " + high);
        }
    }

    private Map<Integer, Long> parseNeighbors() {
        Map<Integer, Long> parsed = new HashMap<>();
        neighbors.forEach((ip, hardware) -> {
            try {
                parsed.put(IpAddress.parse(ip), IpAddress.parseMac(hardware));
            } catch (IllegalArgumentException e) {
                throw new ParameterException(
                        spec.commandLine(),
                        "Invalid value for option '--neighbor': " + ip + "=" + hardware + ": " + e.getMessage()
                                + "; allowed is such as 10.0.0.2=02:00:0a:00:00:02",
                        e);
            }
        });
        return parsed;
    }

    /// Opens the transport; waits for the socket that the other side makes, and for the link.
    static HomaTransport open(HomaConfig config, Duration limit, Console console) {
        String device = config.device().toString();
        if (!HomaTransport.awaitSocket(config, Duration.ZERO)) {
            console.note("waiting for the other side to make " + config.device().socket() + " (up to "
                    + limit.toSeconds() + " s)");
            if (!HomaTransport.awaitSocket(config, limit)) {
                throw new RunFailure("device '" + device + "': no socket "
                        + config.device().socket() + " after "
                        + limit.toSeconds() + " s, because nothing serves it. Start the other side first, such as:"
                        + " ./homa server --device " + otherSide(config.device()));
            }
        }
        boolean mustComeUp =
                config.device().kind() == DeviceKind.VIRTIO || config.device().kind() == DeviceKind.MEMIF;
        return mustComeUp && !isMemifServer(config.device()) ? openWithLink(config, limit) : HomaTransport.open(config);
    }

    /// Opens the device again when the link does not come up: a memif server refuses who comes between its making the
    /// socket and its start, and DPDK's client asks only once. Each try has twice the time of the one before.
    private static HomaTransport openWithLink(HomaConfig config, Duration limit) {
        long deadlineNs = System.nanoTime() + limit.toNanos();
        Duration patience = FIRST_PATIENCE;
        while (true) {
            long leftNs = deadlineNs - System.nanoTime();
            HomaTransport transport = HomaTransport.open(config);
            if (transport.awaitLink(Duration.ofNanos(Math.min(leftNs, patience.toNanos())))) {
                return transport;
            }
            transport.close();
            if (leftNs <= patience.toNanos()) {
                throw new RunFailure("device '" + config.device() + "': the link did not come up in "
                        + limit.toSeconds()
                        + " s. The socket is there; is its owner still running? Start the other side again.");
            }
            patience = patience.multipliedBy(2);
        }
    }

    private static boolean isMemifServer(DeviceSpec device) {
        return "server".equals(device.options().get("role"));
    }

    private static String otherSide(DeviceSpec device) {
        return device.kind() == DeviceKind.VIRTIO
                ? "vhost:" + device.target()
                : "memif:" + device.target() + ",role=server";
    }

    /// Reads a device spec.
    static final class Device implements ITypeConverter<DeviceSpec> {
        @Override
        public DeviceSpec convert(String value) {
            return converted(() -> DeviceSpec.parse(value));
        }
    }

    /// Reads an address with prefix.
    static final class Net implements ITypeConverter<NetConfig> {
        @Override
        public NetConfig convert(String value) {
            return converted(() -> NetConfig.of(value));
        }
    }

    /// Reads an IPv4 address.
    static final class Ip implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            return converted(() -> IpAddress.parse(value));
        }
    }

    /// Reads a hardware address.
    static final class Mac implements ITypeConverter<Long> {
        @Override
        public Long convert(String value) {
            return converted(() -> IpAddress.parseMac(value));
        }
    }

    /// Returns what `parse` does, or tells picocli why it failed.
    static <T> T converted(java.util.function.Supplier<T> parse) {
        try {
            return parse.get();
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }
}
