package io.homa.bench.peer;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The transports that `bench` knows, by the names in its results.
public enum Peer {
    /// No JVM runs a side of it: see `RawCContender`.
    RAW_C("raw-c", "C over DPDK without a protocol (raw-ping): the floor"),
    RAW_JAVA("raw-java", "Java over the bindings without a protocol: what the foreign function interface costs") {
        @Override
        public PeerServer serve(SideConfig side) {
            return new RawJava.Server(side);
        }

        @Override
        public PeerClient connect(SideConfig side, String address) {
            return new RawJava.Client(side, address);
        }
    },
    HOMA("homa", "this stack, application inline on the engine's thread") {
        @Override
        public PeerServer serve(SideConfig side) {
            return new HomaInline.Server(side);
        }

        @Override
        public PeerClient connect(SideConfig side, String address) {
            return new HomaInline.Client(side, address);
        }
    },
    HOMA_POLLED("homa-polled", "this stack, application on a thread of its own that shares the engine's CPU") {
        @Override
        public PeerServer serve(SideConfig side) {
            return new HomaPolled.Server(side);
        }

        @Override
        public PeerClient connect(SideConfig side, String address) {
            return new HomaPolled.Client(side, address);
        }
    },
    HOMA_ASYNC("homa-async", "this stack through CompletableFuture; the server is inline") {
        @Override
        public PeerServer serve(SideConfig side) {
            return new HomaInline.Server(side);
        }

        @Override
        public PeerClient connect(SideConfig side, String address) {
            return new HomaFutures(side, address);
        }
    },
    HOMA_SCALE("homa-scale", "this stack as the client of many hosts, which one process plays") {
        @Override
        public PeerServer serve(SideConfig side) {
            return new ManyHosts(side);
        }

        @Override
        public PeerClient connect(SideConfig side, String address) {
            return new ManyHosts.Client(side, address);
        }
    },
    TCP("tcp", "kernel TCP on loopback, Java NIO, busy polling without a selector, TCP_NODELAY, 4 MB buffers") {
        @Override
        public PeerServer serve(SideConfig side) {
            return new NioTcp.Server(side, LOOPBACK, false);
        }

        @Override
        public PeerClient connect(SideConfig side, String address) {
            return new NioTcp.Client(side, address, false);
        }
    },
    TCP_VETH(
            "tcp-veth",
            "as tcp, but over a veth pair with MTU 1500 without segmentation offload, into a network namespace") {
        @Override
        public PeerServer serve(SideConfig side) {
            return new NioTcp.Server(side, VethPair.SERVER, false);
        }

        @Override
        public PeerClient connect(SideConfig side, String address) {
            return new NioTcp.Client(side, address, false);
        }
    },
    TCP_BLOCKING("tcp-blocking", "kernel TCP on loopback, Java NIO, blocking reads and writes, TCP_NODELAY") {
        @Override
        public PeerServer serve(SideConfig side) {
            return new NioTcp.Server(side, LOOPBACK, true);
        }

        @Override
        public PeerClient connect(SideConfig side, String address) {
            return new NioTcp.Client(side, address, true);
        }
    },
    NETTY("netty", "kernel TCP on loopback, Netty with native epoll, spinning, TCP_NODELAY, 4 MB buffers") {
        @Override
        public PeerServer serve(SideConfig side) {
            return new NettyTcp.Server(side);
        }

        @Override
        public PeerClient connect(SideConfig side, String address) {
            return new NettyTcp.Client(side, address);
        }

        @Override
        public List<String> jvmFlags() {
            return NETTY_FLAGS;
        }
    },
    NETTY_QUIC(
            "netty-quic",
            "QUIC on loopback, Netty (quiche) with native epoll, spinning, segmentation offload, encrypted") {
        @Override
        public PeerServer serve(SideConfig side) {
            return new NettyQuic.Server(side);
        }

        @Override
        public PeerClient connect(SideConfig side, String address) {
            return new NettyQuic.Client(side, address);
        }

        @Override
        public List<String> jvmFlags() {
            return NETTY_FLAGS;
        }
    },
    GRPC("grpc", "gRPC-Java unary calls on loopback, plain text, Netty with native epoll, spinning, directExecutor") {
        @Override
        public PeerServer serve(SideConfig side) {
            return new GrpcUnary.AnsweringSide(side);
        }

        @Override
        public PeerClient connect(SideConfig side, String address) {
            return new GrpcUnary.AskingSide(side, address);
        }

        @Override
        public List<String> jvmFlags() {
            return NETTY_FLAGS;
        }
    },
    AERON_UDP("aeron-udp", "Aeron over UDP on loopback, media drivers invoked by the spinning threads of the sides") {
        @Override
        public PeerServer serve(SideConfig side) {
            return new AeronEcho.Server(side, false);
        }

        @Override
        public PeerClient connect(SideConfig side, String address) {
            return new AeronEcho.Client(side, address, false);
        }

        @Override
        public List<String> jvmFlags() {
            return AERON_FLAGS;
        }
    },
    AERON_IPC("aeron-ipc", "Aeron over shared memory without a network, media driver invoked by the spinning server") {
        @Override
        public PeerServer serve(SideConfig side) {
            return new AeronEcho.Server(side, true);
        }

        @Override
        public PeerClient connect(SideConfig side, String address) {
            return new AeronEcho.Client(side, address, true);
        }

        @Override
        public List<String> jvmFlags() {
            return AERON_FLAGS;
        }
    };

    private static final String LOOPBACK = "127.0.0.1";

    /// From Java 24 on Netty reaches memory faster only where this is allowed, as it says itself.
    private static final List<String> NETTY_FLAGS =
            List.of("--sun-misc-unsafe-memory-access=allow", "-Dio.netty.noUnsafe=false");

    /// Agrona needs the first two; the others are what Aeron recommends for production.
    private static final List<String> AERON_FLAGS = List.of(
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dagrona.disable.bounds.checks=true",
            "-Daeron.pre.touch.mapped.memory=true");

    private final String label;
    private final String meaning;

    Peer(String label, String meaning) {
        this.label = label;
        this.meaning = meaning;
    }

    /// Returns the name in results.
    public String label() {
        return label;
    }

    /// Returns what it is and how it is configured, in one line.
    public String meaning() {
        return meaning;
    }

    /// Returns flags that its JVMs need beyond those of every command.
    public List<String> jvmFlags() {
        return List.of();
    }

    /// Starts the answering side in this process.
    ///
    /// @throws IllegalArgumentException for a peer that is a program of its own
    public PeerServer serve(SideConfig side) {
        throw notInJava();
    }

    /// Starts the asking side in this process and connects it.
    ///
    /// @throws IllegalArgumentException for a peer that is a program of its own
    public PeerClient connect(SideConfig side, String address) {
        throw notInJava();
    }

    private IllegalArgumentException notInJava() {
        return new IllegalArgumentException(label + " is a program of its own and has no side in a JVM");
    }

    /// Returns the peer with a name, if there is one.
    public static Optional<Peer> named(String label) {
        return Arrays.stream(values()).filter(peer -> peer.label.equals(label)).findFirst();
    }
}
