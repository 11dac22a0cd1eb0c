package io.homa.dpdk;

/// Kinds of device that a [DeviceSpec] can name.
public enum DeviceKind {
    /// A NIC on the PCI bus that a DPDK driver has taken over (or that shares itself with the kernel):
    /// `pci:0000:81:00.0`.
    PCI("pci", "PCI address", false),
    /// Server side of shared memory between two processes: `vhost:/path.sock`.
    VHOST("vhost", "socket path", false),
    /// Client side of the same: `virtio:/path.sock`. The socket must be there.
    VIRTIO("virtio", "socket path", false),
    /// Shared memory with another memif speaker: `memif:/path.sock,role=server`.
    MEMIF("memif", "socket path", false),
    /// A network interface of the kernel, made here: `tap:homa0`.
    TAP("tap", "interface name", true),
    /// An interface of the kernel that exists, by packet socket: `af_packet:eth0`.
    AF_PACKET("af_packet", "interface name", true),
    /// The same by XDP socket: `af_xdp:eth0`.
    AF_XDP("af_xdp", "interface name", true),
    /// Loopback inside the process: `ring:`.
    RING("ring", "", false),
    /// Replays one capture file and writes what is sent to another: `pcap:in.pcap,tx=out.pcap`.
    PCAP("pcap", "file", true);

    private final String prefix;
    private final String target;
    private final boolean makesSystemCalls;

    DeviceKind(String prefix, String target, boolean makesSystemCalls) {
        this.prefix = prefix;
        this.target = target;
        this.makesSystemCalls = makesSystemCalls;
    }

    /// Returns the word before the colon.
    public String prefix() {
        return prefix;
    }

    /// Returns what stands behind the colon; empty if nothing does.
    public String target() {
        return target;
    }

    /// Says whether bursts make system calls, so that they must not keep the garbage collector waiting.
    public boolean makesSystemCalls() {
        return makesSystemCalls;
    }
}
