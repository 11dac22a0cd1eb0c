package io.homa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.homa.testing.PcapFile;
import io.homa.testing.Scratch;
import io.homa.wire.Checksum;
import io.homa.wire.Ethernet;
import io.homa.wire.Ipv4;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Echoes of every size class between two processes, over each kind of device that a machine without a NIC has.
@Timeout(180)
class TwoProcessTest {
    private static final String[] SIZES = {"1", "100", "1424", "1425", "40000", "40001", "500000", "1000000"};
    private static final List<String> HERE = List.of();

    @TempDir
    private Path directory;

    private static void exchange(
            List<String> serverPrefix,
            String serverDevice,
            List<String> clientPrefix,
            String clientDevice,
            int mtu,
            double loss)
            throws Exception {
        String[] server = {"server", serverDevice, "10.9.0.2/24", Integer.toString(mtu), Double.toString(loss)};
        List<String> client = new ArrayList<>(List.of("client", clientDevice, "10.9.0.1/24"));
        client.addAll(List.of(Integer.toString(mtu), Double.toString(loss), "10.9.0.2:" + EchoProcess.PORT));
        client.addAll(List.of(SIZES));
        try (TestProcess serving = TestProcess.java(serverPrefix, EchoProcess.class, server)) {
            serving.awaitOutput(EchoProcess.READY, 60);
            try (TestProcess calling =
                    TestProcess.java(clientPrefix, EchoProcess.class, client.toArray(String[]::new))) {
                String output = calling.awaitSuccess(120);
                assertTrue(output.contains(EchoProcess.DONE), output);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {576, 1_500, 9_000})
    void virtioAndVhost(int mtu) throws Exception {
        Path socket = directory.resolve("v.sock");
        exchange(HERE, "vhost:" + socket, HERE, "virtio:" + socket, mtu, 0);
    }

    @Test
    void virtioPackedRing() throws Exception {
        Path socket = directory.resolve("v.sock");
        exchange(HERE, "vhost:" + socket, HERE, "virtio:" + socket + ",packed=1", 1_500, 0);
    }

    @Test
    void virtioWithLoss() throws Exception {
        Path socket = directory.resolve("v.sock");
        exchange(HERE, "vhost:" + socket, HERE, "virtio:" + socket, 1_500, 0.02);
    }

    @ParameterizedTest
    @ValueSource(ints = {1_500, 9_000})
    void memif(int mtu) throws Exception {
        Path socket = directory.resolve("m.sock");
        exchange(HERE, "memif:" + socket + ",server", HERE, "memif:" + socket + ",client", mtu, 0);
    }

    private static void assumeRoot() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "needs root, to make network interfaces");
        assumeTrue(Files.exists(Path.of("/dev/net/tun")), "needs /dev/net/tun");
    }

    private static void assumePing() {
        boolean isThere = Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .anyMatch(place -> Files.isExecutable(Path.of(place, "ping")));
        assumeTrue(isThere, "needs ping (apt-get install iputils-ping)");
    }

    @Test
    void packetSocketsOnVeth() throws Exception {
        assumeRoot();
        try (TestLink link = TestLink.veth()) {
            exchange(
                    link.inFirst(),
                    "af_packet:" + link.interfaceName(),
                    link.inSecond(),
                    "af_packet:" + link.interfaceName(),
                    1_500,
                    0);
        }
    }

    @Test
    void tapsOnABridge() throws Exception {
        assumeRoot();
        try (TestLink namespace = TestLink.veth()) {
            namespace.runInFirst("ip", "link", "add", "bridge0", "type", "bridge");
            namespace.runInFirst("ip", "link", "set", "bridge0", "up");
            for (String tap : List.of("homatest0", "homatest1")) {
                namespace.runInFirst("ip", "tuntap", "add", "dev", tap, "mode", "tap", "multi_queue");
                namespace.runInFirst("ip", "link", "set", tap, "master", "bridge0", "up");
            }
            List<String> inside = namespace.inFirst();
            exchange(inside, "tap:homatest0", inside, "tap:homatest1", 1_500, 0);
        }
    }

    @Test
    void tsharkSeesWellFormedPacketsAndPriorities() throws Exception {
        assumeRoot();
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/tshark")), "needs tshark (apt-get install tshark)");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/tcpdump")), "needs tcpdump (apt-get install tcpdump)");
        Path file = directory.resolve("veth.pcap");
        try (TestLink link = TestLink.veth()) {
            List<String> dump = new ArrayList<>(link.inSecond());
            dump.addAll(List.of("tcpdump", "-U", "-Z", "root", "-i", link.interfaceName(), "-w", file.toString()));
            try (TestProcess capturing = TestProcess.start(dump)) {
                capturing.awaitOutput("listening on", 30);
                String device = "af_packet:" + link.interfaceName();
                exchange(link.inFirst(), device, link.inSecond(), device, 1_500, 0);
                capturing.terminate();
            }
        }
        String fields = TestProcess.run(
                "tshark",
                "-r",
                file.toString(),
                "-o",
                "ip.check_checksum:TRUE",
                "-Y",
                "ip",
                "-T",
                "fields",
                "-e",
                "ip.version",
                "-e",
                "ip.proto",
                "-e",
                "ip.checksum.status",
                "-e",
                "ip.dsfield.dscp",
                "-e",
                "ip.dsfield.ecn",
                "-e",
                "ip.flags.df",
                "-e",
                "_ws.malformed");
        Set<String> kinds = new TreeSet<>(Arrays.asList(
                fields.lines().filter(line -> line.startsWith("4\t")).toArray(String[]::new)));
        // Version 4, protocol 146, header checksum good, no ECN, don't fragment, nothing malformed; control and
        // acknowledged sizes at CS7 and CS6, scheduled
        // data at CS0.
        Set<String> dscps = new TreeSet<>(
                kinds.stream().map(kind -> kind.split("\t", -1)[3]).toList());
        assertTrue(dscps.containsAll(List.of("56", "48", "0")), dscps.toString());
        for (String kind : kinds) {
            assertTrue(kind.matches("4\t146\t(1|Good)\t(0|8|16|24|32|40|48|56)\t0\t(1|True)\t"), kind);
        }
        assertChecksumsAreRight(file);
    }

    private static void assertChecksumsAreRight(Path file) throws IOException {
        int checked = 0;
        for (PcapFile frame : PcapFile.read(file)) {
            try (Scratch scratch = Scratch.of(frame.bytes())) {
                long ip = scratch.address() + Ethernet.LENGTH;
                if (Ethernet.type(scratch.address()) == Ethernet.TYPE_IPV4 && Ipv4.protocol(ip) == Ipv4.PROTOCOL_HOMA) {
                    int length = Ipv4.totalLength(ip) - Ipv4.LENGTH;
                    assertEquals(0, Checksum.homa(ip + Ipv4.LENGTH, length, Ipv4.source(ip), Ipv4.destination(ip)));
                    checked++;
                }
            }
        }
        assertTrue(checked > 1_000, "only " + checked + " packets");
    }

    @Test
    void kernelPingsTheStackOnVeth() throws Exception {
        assumeRoot();
        assumePing();
        try (TestLink link = TestLink.veth()) {
            link.addressInSecond("10.9.0.1/24");
            String[] server = {"server", "af_packet:" + link.interfaceName(), "10.9.0.2/24", "1500", "0"};
            try (TestProcess serving = TestProcess.java(link.inFirst(), EchoProcess.class, server)) {
                serving.awaitOutput(EchoProcess.READY, 60);
                assertPingSucceeds(link.inSecond());
            }
        }
    }

    @Test
    void kernelPingsTheStackOnTap() throws Exception {
        assumeRoot();
        assumePing();
        try (TestLink namespace = TestLink.veth()) {
            String[] server = {"server", "tap:homatest0", "10.9.0.2/24", "1500", "0"};
            try (TestProcess serving = TestProcess.java(namespace.inFirst(), EchoProcess.class, server)) {
                serving.awaitOutput(EchoProcess.READY, 60);
                namespace.runInFirst("ip", "address", "add", "10.9.0.1/24", "dev", "homatest0");
                namespace.runInFirst("ip", "link", "set", "homatest0", "up");
                assertPingSucceeds(namespace.inFirst());
            }
        }
    }

    private static void assertPingSucceeds(List<String> prefix) throws Exception {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of("ping", "-c", "5", "-i", "0.2", "-W", "5", "-s", "1000", "10.9.0.2"));
        String output = TestProcess.run(command.toArray(String[]::new));
        assertTrue(output.contains("5 received"), output);
    }
}
