package io.homa.bench.peer;

import io.homa.cli.RunFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Two network namespaces of this process, joined by a pair of virtual Ethernet interfaces with MTU 1500 and without
/// segmentation offload: the kernel has to make and take single packets, as without the help of a NIC. Needs root and
/// iproute2.
public final class VethPair implements AutoCloseable {
    /// Bytes of an IP packet between them.
    public static final int MTU = 1_500;

    static final String SERVER = "10.77.0.1";
    private static final String CLIENT = "10.77.0.2";
    private static final int SECONDS = 10;

    private final String serverSpace;
    private final String clientSpace;

    private VethPair(long number) {
        serverSpace = "homa-s" + number;
        clientSpace = "homa-c" + number;
    }

    /// Makes the namespaces and the pair.
    ///
    /// @throws RunFailure with the reason if this user or system cannot
    public static VethPair make() {
        VethPair pair = new VethPair(ProcessHandle.current().pid());
        try {
            pair.build();
        } catch (RunFailure e) {
            pair.close();
            throw e;
        }
        return pair;
    }

    private void build() {
        ip("netns", "add", serverSpace);
        ip("netns", "add", clientSpace);
        // One segment per packet: neither side hands the kernel's stack or the other side more than an MTU.
        ip(
                "link",
                "add",
                "eth0",
                "netns",
                serverSpace,
                "gso_max_segs",
                "1",
                "mtu",
                Integer.toString(MTU),
                "type",
                "veth",
                "peer",
                "name",
                "eth0",
                "netns",
                clientSpace,
                "gso_max_segs",
                "1",
                "mtu",
                Integer.toString(MTU));
        for (String[] side : new String[][] {{serverSpace, SERVER}, {clientSpace, CLIENT}}) {
            ip("-n", side[0], "addr", "add", side[1] + "/24", "dev", "eth0");
            ip("-n", side[0], "link", "set", "lo", "up");
            ip("-n", side[0], "link", "set", "eth0", "up");
        }
    }

    /// Returns the command that runs another one in the server's namespace, or in the client's.
    public List<String> enter(boolean isServer) {
        return List.of("ip", "netns", "exec", isServer ? serverSpace : clientSpace);
    }

    private static void ip(String... arguments) {
        String problem = run(arguments);
        if (!problem.isEmpty()) {
            throw new RunFailure(problem);
        }
    }

    /// Returns what went wrong, if anything did.
    private static String run(String... arguments) {
        List<String> line = new ArrayList<>(List.of("ip"));
        line.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            boolean isWell = process.waitFor(SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
            return isWell ? "" : String.join(" ", line) + ": " + (output.isEmpty() ? "did not end" : output);
        } catch (IOException e) {
            return "ip, of iproute2, cannot be run: " + e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    /// Removes the namespaces and with them the interfaces.
    @Override
    public void close() {
        // One that was never made cannot be removed; nothing to tell.
        String _ = run("netns", "del", serverSpace);
        String _ = run("netns", "del", clientSpace);
    }
}
