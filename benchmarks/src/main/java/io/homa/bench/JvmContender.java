package io.homa.bench;

import io.homa.bench.load.Load;
import io.homa.bench.load.LoadResult;
import io.homa.bench.peer.Peer;
import io.homa.bench.peer.VethPair;
import io.homa.cli.PeerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A transport with a JVM for each side. The JVMs stay from turn to turn, so that their code stays compiled; what a
/// side opens it closes at the end of a turn.
final class JvmContender implements Contender {
    private static final int ANSWER = "ok ".length();

    private final PeerProcess server;
    private final PeerProcess client;

    /// @param veth network namespaces to run in; null for that of this process
    JvmContender(Peer peer, Cores cores, Path directory, @Nullable VethPair veth) {
        server = start(peer, cores, true, directory, veth);
        client = start(peer, cores, false, directory, veth);
    }

    private static PeerProcess start(
            Peer peer, Cores cores, boolean isServer, Path directory, @Nullable VethPair veth) {
        int cpu = isServer ? cores.server() : cores.client();
        List<String> prefix = new ArrayList<>(veth == null ? List.of() : veth.enter(isServer));
        prefix.addAll(cores.confine(cpu));
        return PeerProcess.start(
                prefix,
                peer.jvmFlags(),
                List.of("bench-side", "--peer=" + peer.label(), "--cpu=" + cpu, "--directory=" + directory));
    }

    @Override
    public void open(int mtu) {
        String address = ask(server, "serve " + mtu);
        ask(client, "connect " + mtu + " " + address);
    }

    private static String ask(PeerProcess side, String command) {
        return side.ask(command).substring(ANSWER);
    }

    @Override
    public Run run(Load load) {
        Usage before = usage(server);
        long clientBefore = usage(client).compilationMs();
        LoadResult result = LoadResult.parse(ask(client, "run " + load.toJson()));
        Usage after = usage(server);
        long compilationMs =
                after.compilationMs() - before.compilationMs() + usage(client).compilationMs() - clientBefore;
        return new Run(result, after.allocatedBytes() - before.allocatedBytes(), compilationMs);
    }

    /// What a process has used so far.
    private record Usage(long allocatedBytes, long compilationMs) {}

    private static Usage usage(PeerProcess side) {
        String answer = ask(side, "usage");
        int space = answer.indexOf(' ');
        return new Usage(Long.parseLong(answer.substring(0, space)), Long.parseLong(answer.substring(space + 1)));
    }

    @Override
    public void closeTurn() {
        ask(client, "close");
        ask(server, "close");
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
