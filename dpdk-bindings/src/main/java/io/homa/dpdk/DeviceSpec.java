package io.homa.dpdk;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Which device to use, parsed from text: kind, colon, target, and options after commas, such as
/// `virtio:/run/homa.sock,packed=1`.
///
/// @param kind kind of device
/// @param target what the kind needs: a PCI address, path, interface name or file; empty for `ring:`
/// @param options further settings by name
public record DeviceSpec(DeviceKind kind, String target, Map<String, String> options) {
    private static final Pattern PCI_ADDRESS =
            Pattern.compile("([0-9a-fA-F]{4}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7]");
    private static final Pattern INTERFACE = Pattern.compile("[A-Za-z0-9_.\\-]{1,15}");

    /// Longest path of a Unix socket on Linux, without the closing zero.
    private static final int MAX_SOCKET_PATH = 107;

    public DeviceSpec {
        options = Map.copyOf(options);
        check(kind, target, options);
    }

    /// Parses a spec.
    ///
    /// @throws IllegalArgumentException with the spec, the reason and the allowed forms
    public static DeviceSpec parse(String spec) {
        int colon = spec.indexOf(':');
        String prefix = colon < 0 ? spec : spec.substring(0, colon);
        DeviceKind kind = Stream.of(DeviceKind.values())
                .filter(k -> k.prefix().equals(prefix) && colon >= 0)
                .findFirst()
                .orElseThrow(() -> wrong(spec, "it does not begin with a known kind"));
        String[] parts = spec.substring(colon + 1).split(",", -1);
        Map<String, String> options = new TreeMap<>();
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            if (kind == DeviceKind.MEMIF && equals < 0) {
                options.put("role", parts[i]);
            } else if (equals < 1) {
                throw wrong(spec, "option '" + parts[i] + "' is not name=value");
            } else {
                options.put(parts[i].substring(0, equals), parts[i].substring(equals + 1));
            }
        }
        try {
            return new DeviceSpec(kind, parts[0], options);
        } catch (IllegalArgumentException e) {
            throw wrong(spec, String.valueOf(e.getMessage()));
        }
    }

    private static IllegalArgumentException wrong(String spec, String why) {
        String forms = Stream.of(DeviceKind.values())
                .map(k -> k.prefix() + ":" + (k.target().isEmpty() ? "" : "<" + k.target() + ">"))
                .collect(Collectors.joining(", "));
        return new IllegalArgumentException("device '" + spec + "': " + why + ". Allowed are " + forms);
    }

    private static Set<String> allowedOptions(DeviceKind kind) {
        return switch (kind) {
            case VIRTIO -> Set.of("packed", "queue_size");
            case MEMIF -> Set.of("role");
            case PCAP -> Set.of("tx");
            case TAP -> Set.of("mac");
            case PCI, VHOST, AF_PACKET, AF_XDP, RING -> Set.of();
        };
    }

    private static void check(DeviceKind kind, String target, Map<String, String> options) {
        switch (kind) {
            case PCI -> require(PCI_ADDRESS.matcher(target).matches(), "'" + target + "' is not a PCI address");
            case VHOST, VIRTIO, MEMIF -> {
                require(target.startsWith("/"), "the socket path must be absolute");
                require(
                        target.length() <= MAX_SOCKET_PATH,
                        "the socket path has " + target.length() + " characters, at most " + MAX_SOCKET_PATH + " work");
            }
            case TAP, AF_PACKET, AF_XDP ->
                require(INTERFACE.matcher(target).matches(), "'" + target + "' is not an interface name");
            case RING -> require(target.isEmpty(), "nothing may follow the colon");
            case PCAP -> require(!target.isEmpty(), "the file is missing");
        }
        for (String option : options.keySet()) {
            require(
                    allowedOptions(kind).contains(option),
                    "option '" + option + "' is unknown; known are " + allowedOptions(kind));
        }
        if (kind == DeviceKind.MEMIF && options.containsKey("role")) {
            require(Set.of("server", "client").contains(options.get("role")), "role is server or client");
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /// Returns the Unix socket that the device meets its other side at. Only for vhost, virtio and memif.
    public Path socket() {
        return Path.of(target);
    }

    /// Returns DPDK's bus of the device.
    String bus() {
        return kind == DeviceKind.PCI ? "pci" : "vdev";
    }

    /// Returns DPDK's name of the device; `number` tells virtual devices of one process apart.
    String name(int number) {
        return switch (kind) {
            case PCI -> target.length() == 7 ? "0000:" + target : target;
            case VIRTIO -> "net_virtio_user" + number;
            case VHOST, MEMIF, TAP, AF_PACKET, AF_XDP, RING, PCAP -> "net_" + kind.prefix() + number;
        };
    }

    /// Returns DPDK's arguments of the device for frames of an IP packet of `mtu` bytes and `queues` queue pairs.
    String arguments(int mtu, int queues) {
        boolean isJumbo = mtu > 1500;
        return switch (kind) {
            case PCI, RING -> "";
            case VHOST -> "iface=" + target + ",queues=" + queues;
            case VIRTIO ->
                "path=" + target + ",queues=" + queues + ",queue_size=" + options.getOrDefault("queue_size", "1024")
                        + (options.getOrDefault("packed", "0").equals("1")
                                ? ",packed_vq=1,in_order=1,mrg_rxbuf=0"
                                : "");
            case MEMIF ->
                "role=" + options.getOrDefault("role", "client") + ",socket=" + target + ",socket-abstract=no,bsize="
                        + (isJumbo ? 10_240 : 2_048);
            case TAP -> "iface=" + target + (options.containsKey("mac") ? ",mac=" + options.get("mac") : "");
            case AF_PACKET ->
                "iface=" + target + ",qpairs=" + queues
                        + (isJumbo ? jumboRing(mtu) : ",blocksz=4096,framesz=2048,framecnt=512");
            case AF_XDP -> "iface=" + target + ",queue_count=" + queues;
            case PCAP -> "rx_pcap=" + target + ",tx_pcap=" + options.getOrDefault("tx", target + ".tx.pcap");
        };
    }

    /// Frames as long as the buffers of the pool for this MTU, longer ones are refused; four to a block, which is then
    /// a number of pages.
    private static String jumboRing(int mtu) {
        int frame = MbufPool.dataRoom(mtu);
        return ",blocksz=" + 4 * frame + ",framesz=" + frame + ",framecnt=512";
    }

    /// Returns the spec as text that [#parse] reads.
    @Override
    public String toString() {
        return kind.prefix() + ":" + target
                + new TreeMap<>(options)
                        .entrySet().stream()
                                .map(e -> "," + e.getKey() + "=" + e.getValue())
                                .collect(Collectors.joining());
    }
}
