package io.homa;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Two network namespaces joined by a veth pair without offloads; both are removed on closing. Needs root.
final class TestLink implements AutoCloseable {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final String first;
    private final String second;

    private TestLink(String first, String second) {
        this.first = first;
        this.second = second;
    }

    static TestLink veth() throws IOException, InterruptedException {
        String base = "homa" + ProcessHandle.current().pid() + "n" + NUMBER.incrementAndGet();
        TestLink link = new TestLink(base + "a", base + "b");
        TestProcess.run("ip", "netns", "add", link.first);
        TestProcess.run("ip", "netns", "add", link.second);
        TestProcess.run(
                "ip",
                "link",
                "add",
                "veth0",
                "netns",
                link.first,
                "type",
                "veth",
                "peer",
                "name",
                "veth0",
                "netns",
                link.second);
        link.runInFirst("ip", "link", "set", "veth0", "up");
        link.runInSecond("ip", "link", "set", "veth0", "up");
        return link;
    }

    String interfaceName() {
        return "veth0";
    }

    /// Returns what to put before a command that shall run in the first namespace.
    List<String> inFirst() {
        return List.of("ip", "netns", "exec", first);
    }

    List<String> inSecond() {
        return List.of("ip", "netns", "exec", second);
    }

    void addressInSecond(String cidr) throws IOException, InterruptedException {
        runInSecond("ip", "address", "add", cidr, "dev", "veth0");
    }

    void runInFirst(String... command) throws IOException, InterruptedException {
        run(inFirst(), command);
    }

    void runInSecond(String... command) throws IOException, InterruptedException {
        run(inSecond(), command);
    }

    private static void run(List<String> prefix, String... command) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(prefix);
        all.addAll(List.of(command));
        TestProcess.run(all.toArray(String[]::new));
    }

    @Override
    public void close() throws IOException, InterruptedException {
        TestProcess.run("ip", "netns", "delete", first);
        TestProcess.run("ip", "netns", "delete", second);
    }
}
