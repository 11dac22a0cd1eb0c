package io.homa;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
    void kernelPingsTheStackOnVeth() throws Exception {
        assumeRoot();
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
