package io.homa.cli;

import io.homa.HomaAddress;
import io.homa.HomaConfig;
import io.homa.HomaTransport;
import io.homa.dpdk.ThreadAffinity;
import io.homa.engine.Counter;
import io.homa.net.NetCounter;
import io.homa.scenario.ClosedLoopLoad;
import io.homa.scenario.Exchange;
import io.homa.scenario.ExchangeSummary;
import io.homa.scenario.TcpPeer;
import io.homa.scenario.Workload;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// One of the two processes of `demo`: an endpoint that is client and server, first over Homa, then over TCP. Does
/// what it is told by words, so that the same controller drives this process and the other. One thread.
final class DemoSide implements DemoControl {
    static final int HOMA_PORT = 4_000;

    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(10);

    private final HomaConfig config;
    private final HomaAddress peer;
    private final Workload workload;
    private final int outstanding;
    private final long seed;
    private final Duration wait;
    private final Console console;

    private @Nullable HomaTransport transport;
    private @Nullable TcpPeer tcp;
    private @Nullable Thread tcpThread;
    private @Nullable Exchange exchange;

    DemoSide(
            HomaConfig config,
            HomaAddress peer,
            Workload workload,
            int outstanding,
            long seed,
            Duration wait,
            Console console) {
        this.config = config;
        this.peer = peer;
        this.workload = workload;
        this.outstanding = outstanding;
        this.seed = seed;
        this.wait = wait;
        this.console = console;
    }

    @Override
    public String ask(String command) {
        String[] words = command.split(" ", -1);
        return switch (words[0]) {
            case DemoControl.OPEN -> open();
            case DemoControl.START -> done(() -> current().start());
            case DemoControl.RECORD -> done(() -> current().record(true));
            case DemoControl.STOP -> stop();
            case DemoControl.STATUS -> current().ended() + " " + current().recordedRpcs();
            case DemoControl.DRAIN -> drain();
            case DemoControl.SUMMARY -> ExchangeSummary.of(current()).toText();
            case DemoControl.COUNTERS -> counters();
            case DemoControl.CLOSE -> closeHoma();
            case DemoControl.TCP_LISTEN -> listen();
            case DemoControl.TCP_CONNECT -> connect(Integer.parseInt(words[1]));
            case DemoControl.TCP_CLOSE -> closeTcp();
            default -> throw new IllegalArgumentException("unknown command " + command);
        };
    }

    private static String done(Runnable action) {
        action.run();
        return OK;
    }

    private Exchange current() {
        Exchange running = exchange;
        if (running == null) {
            throw new IllegalStateException("nothing is open");
        }
        return running;
    }

    private String open() {
        HomaTransport opened = StackOptions.open(config, wait, console);
        transport = opened;
        ClosedLoopLoad load = new ClosedLoopLoad(peer, workload, outstanding, seed);
        opened.serveInline(HOMA_PORT, load);
        exchange = load;
        return OK;
    }

    private String stop() {
        current().record(false);
        current().stop();
        return OK;
    }

    private String drain() {
        long limitNs = System.nanoTime() + DRAIN_LIMIT.toNanos();
        while (!current().isDrained()) {
            if (System.nanoTime() > limitNs) {
                return STUCK;
            }
            LockSupport.parkNanos(1_000_000);
        }
        return OK;
    }

    private String counters() {
        HomaTransport opened = transport;
        List<String> words = new ArrayList<>();
        if (opened != null) {
            for (Counter counter : Counter.values()) {
                words.add(counter + "=" + opened.count(counter));
            }
            for (NetCounter counter : NetCounter.values()) {
                words.add(counter + "=" + opened.count(counter));
            }
            words.add("LARGEST_POLL_GAP_US=" + opened.takeLargestPollGapNs() / 1_000);
            words.removeIf(word -> word.endsWith("=0"));
        }
        return String.join(" ", words);
    }

    private String closeHoma() {
        HomaTransport opened = transport;
        if (opened == null) {
            return "0";
        }
        opened.close();
        transport = null;
        return Integer.toString(opened.leakedPackets());
    }

    private String listen() {
        try {
            TcpPeer listening = new TcpPeer(workload, outstanding, seed);
            tcp = listening;
            exchange = listening;
            return Integer.toString(listening.port());
        } catch (IOException e) {
            throw new RunFailure("cannot listen on TCP on the loopback interface: " + e.getMessage(), e);
        }
    }

    private String connect(int port) {
        TcpPeer listening = tcp;
        if (listening == null) {
            throw new IllegalStateException("TCP is not open");
        }
        try {
            listening.connect(port);
        } catch (IOException e) {
            throw new RunFailure("cannot connect by TCP to port " + port + ": " + e.getMessage(), e);
        }
        tcpThread = Thread.ofPlatform().daemon().name("tcp-peer").start(() -> runTcp(listening));
        return OK;
    }

    private void runTcp(TcpPeer peerOfTcp) {
        try {
            if (config.cpu() != HomaConfig.UNPINNED) {
                ThreadAffinity.pin(config.cpu());
            }
            peerOfTcp.run();
        } catch (IOException e) {
            // Once nothing is on its way the other side may close first.
            if (!peerOfTcp.isDrained()) {
                console.note("the TCP exchange failed: " + e.getMessage());
            }
        }
    }

    private String closeTcp() {
        Thread running = tcpThread;
        if (tcp != null) {
            tcp.close();
        }
        if (running != null) {
            try {
                running.join(2_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return OK;
    }

    @Override
    public void close() {
        closeHoma();
        closeTcp();
    }
}
