package io.homa.bench;

import io.homa.bench.peer.Peer;
import io.homa.bench.peer.VethPair;
import io.homa.cli.Interrupt;
import io.homa.cli.RunFailure;
import io.homa.dpdk.DpdkException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Runs a suite: one round to warm up, then rounds in which the contenders take turns, so that whatever the machine
/// does
/// meanwhile happens to all of them. A contender that fails is left out from then on, with the reason. One thread.
final class SuiteRunner {
    /// How often and how long.
    ///
    /// @param rounds measured rounds
    /// @param warmUpMs longest time that a contender runs each case of a suite before the first round; shorter when
    ///     the JVMs have nothing left to compile
    record Plan(int rounds, int warmUpMs) {}

    private static final int SHORTEST_MS = 10;
    /// Pieces of the time for warming up, after which compilation is looked at.
    private static final int SLICE_MS = 200;

    /// Compilation in a slice that is not worth waiting for, and slices in a row that show it.
    private static final int QUIET_MS = 5;

    private static final int QUIET_SLICES = 2;

    private final Plan plan;
    private final Cores cores;
    private final Path directory;
    private final Consumer<String> progress;
    private final Interrupt interrupt;
    private final Samples samples = new Samples();
    private final List<Long> distancesNs = new ArrayList<>();
    private final Map<Peer, String> absent = new LinkedHashMap<>();
    private @Nullable VethPair veth;

    SuiteRunner(Plan plan, Cores cores, Path directory, Consumer<String> progress, Interrupt interrupt) {
        this.plan = plan;
        this.cores = cores;
        this.directory = directory;
        this.progress = progress;
        this.interrupt = interrupt;
    }

    /// Runs everything; false if it was interrupted.
    boolean run(Suite suite, List<Peer> wanted) throws InterruptedException {
        Map<Peer, Contender> contenders = new LinkedHashMap<>();
        try {
            for (Peer peer : suite.peers()) {
                if (wanted.contains(peer)) {
                    start(peer, contenders);
                }
            }
            for (int round = 0; round <= plan.rounds(); round++) {
                for (Peer peer : List.copyOf(contenders.keySet())) {
                    if (interrupt.isRequested()) {
                        return false;
                    }
                    turn(suite, peer, contenders, round);
                }
            }
            return true;
        } finally {
            contenders.values().forEach(Contender::close);
            if (veth != null) {
                veth.close();
            }
        }
    }

    private void start(Peer peer, Map<Peer, Contender> contenders) {
        try {
            contenders.put(
                    peer,
                    switch (peer) {
                        case RAW_C -> new RawCContender(cores, directory);
                        case TCP_VETH -> {
                            VethPair pair = VethPair.make();
                            veth = pair;
                            yield new JvmContender(peer, cores, directory, pair);
                        }
                        default -> new JvmContender(peer, cores, directory, null);
                    });
        } catch (RunFailure e) {
            absent.put(peer, e.getMessage());
        }
    }

    /// Lets a contender run all cases, warming up in round 0.
    private void turn(Suite suite, Peer peer, Map<Peer, Contender> contenders, int round) throws InterruptedException {
        Contender contender = contenders.get(peer);
        if (contender == null) {
            return;
        }
        progress.accept(suite.name() + ", " + (round == 0 ? "warming up" : "round " + round + " of " + plan.rounds())
                + ": " + peer.label());
        distancesNs.add(CoreDistance.measureNs(cores));
        try {
            for (int mtu : suite.cases().stream().map(Case::mtu).distinct().toList()) {
                contender.open(mtu);
                for (Case of : suite.cases()) {
                    if (of.mtu() == mtu && suite.includes(peer, of)) {
                        if (round == 0) {
                            warmUp(contender, of);
                        } else {
                            samples.add(peer, of, contender.run(of.load()));
                        }
                    }
                }
                contender.closeTurn();
            }
        } catch (RunFailure | DpdkException e) {
            absent.put(peer, e.getMessage());
            contenders.remove(peer);
            contender.close();
        }
    }

    /// Runs a case until both JVMs have compiled what it needs. On two CPUs their compilers have only what the polling
    /// threads leave them, so a fixed time would not do.
    private void warmUp(Contender contender, Case of) {
        long endNs = System.nanoTime() + plan.warmUpMs() * 1_000_000L;
        int quiet = 0;
        do {
            Run run = contender.run(of.load().lasting(SLICE_MS, SHORTEST_MS));
            quiet = run.compilationMs() <= QUIET_MS ? quiet + 1 : 0;
        } while (quiet < QUIET_SLICES && System.nanoTime() - endNs < 0);
    }

    Samples samples() {
        return samples;
    }

    /// Returns contenders that could not run, or not to the end, and why.
    Map<Peer, String> absent() {
        return absent;
    }

    /// Returns how far the two CPUs were apart before each turn.
    List<Long> distancesNs() {
        return distancesNs;
    }
}
