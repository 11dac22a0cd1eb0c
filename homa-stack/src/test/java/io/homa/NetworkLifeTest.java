package io.homa;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Echoes of every size class between two processes on veth, over IPv4 and IPv6, plain and in a VLAN, at each MTU;
/// and the kernel's own pings.
@Timeout(120)
class NetworkLifeTest {
    private static final String DEVICE = "af_packet:veth0";

    @BeforeEach
    void assumeRoot() {
        assumeTrue("root".equals(System.getProperty("user.name")), "needs root, to make network interfaces");
    }

    @ParameterizedTest
    @CsvSource({
        "576, ''", "1500, ''", "4096, ''", "9000, ''",
        "576, +vlan=5", "1500, +vlan=5", "4096, +vlan=5", "9000, +vlan=5"
    })
    void echoes(int mtu, String vlan) throws Exception {
        String bytes = Integer.toString(mtu);
        try (TestLink link = TestLink.veth()) {
            link.runInFirst("ip", "link", "set", "veth0", "mtu", bytes);
            link.runInSecond("ip", "link", "set", "veth0", "mtu", bytes);
            String[] server = {"server", DEVICE, "10.9.0.2/24+fd09::2/64" + vlan, bytes, "0"};
            List<String> client = new ArrayList<>(List.of("client", DEVICE, "10.9.0.1/24+fd09::1/64" + vlan, bytes));
            client.addAll(List.of("0", "10.9.0.2:4000,[fd09::2]:4000,[fe80::aff:fe09:2]:4000"));
            for (int size : new int[] {1, mtu - 1, mtu, mtu + 1, 10 * mtu, 1_000_000}) {
                client.add(Integer.toString(size));
            }
            try (TestProcess serving = TestProcess.java(link.inFirst(), EchoProcess.class, server)) {
                serving.awaitOutput(EchoProcess.READY, 60);
                try (TestProcess calling =
                        TestProcess.java(link.inSecond(), EchoProcess.class, client.toArray(String[]::new))) {
                    String output = calling.awaitSuccess(100);
                    assertTrue(output.contains(EchoProcess.DONE), output);
                }
            }
        }
    }

    @Test
    void kernelPingsOverIpv6OnVeth() throws Exception {
        assumePing();
        try (TestLink link = TestLink.veth()) {
            link.runInSecond("ip", "address", "add", "fd09::1/64", "dev", "veth0", "nodad");
            String[] server = {"server", DEVICE, "10.9.0.2/24+fd09::2/64", "1500", "0"};
            try (TestProcess serving = TestProcess.java(link.inFirst(), EchoProcess.class, server)) {
                serving.awaitOutput(EchoProcess.READY, 60);
                assertPing(link.inSecond(), "fd09::2", "veth0");
            }
        }
    }

    @Test
    void kernelPingsOverIpv6OnTap() throws Exception {
        assumePing();
        assumeTrue(Files.exists(Path.of("/dev/net/tun")), "needs /dev/net/tun");
        try (TestLink namespace = TestLink.veth()) {
            String[] server = {"server", "tap:homatest0", "10.9.0.2/24+fd09::2/64", "1500", "0"};
            try (TestProcess serving = TestProcess.java(namespace.inFirst(), EchoProcess.class, server)) {
                serving.awaitOutput(EchoProcess.READY, 60);
                namespace.runInFirst("ip", "link", "set", "homatest0", "up");
                namespace.runInFirst("ip", "address", "add", "fd09::1/64", "dev", "homatest0", "nodad");
                assertPing(namespace.inFirst(), "fd09::2", "homatest0");
            }
        }
    }

    @Test
    void linkDownAndUpIsSurvived() throws Exception {
        try (TestLink link = TestLink.veth()) {
            String[] server = {"server", DEVICE, "10.9.0.2/24", "1500", "0"};
            String[] client = {"client", DEVICE, "10.9.0.1/24", "1500", "0", "10.9.0.2:4000", "1000", "100000"};
            try (TestProcess serving = TestProcess.java(link.inFirst(), EchoProcess.class, server)) {
                serving.awaitOutput(EchoProcess.READY, 60);
                link.runInFirst("ip", "link", "set", "veth0", "down");
                link.runInFirst("ip", "link", "set", "veth0", "up");
                try (TestProcess calling = TestProcess.java(link.inSecond(), EchoProcess.class, client)) {
                    String output = calling.awaitSuccess(60);
                    assertTrue(output.contains(EchoProcess.DONE), output);
                }
            }
        }
    }

    private static void assumePing() {
        boolean isThere = Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .anyMatch(place -> Files.isExecutable(Path.of(place, "ping")));
        assumeTrue(isThere, "needs ping (apt-get install iputils-ping)");
    }

    private static void assertPing(List<String> prefix, String address, String device) throws Exception {
        for (String target : List.of(address, "fe80::aff:fe09:2%" + device)) {
            List<String> command = new ArrayList<>(prefix);
            command.addAll(List.of("ping", "-6", "-c", "3", "-i", "0.2", "-W", "5", "-s", "1000", target));
            String output = TestProcess.run(command.toArray(String[]::new));
            assertTrue(output.contains("3 received"), output);
        }
    }
}
