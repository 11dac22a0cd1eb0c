package io.homa.scenario;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Rounds of an exchange among hosts, one after another without a pause: the communication of training. A round's
/// time counts from its start until all hosts have everything. One thread.
final class Collective implements Pattern {
    /// Who sends what to whom.
    enum Kind {
        /// Every host sends `bytes` to every other.
        ALL_TO_ALL,
        /// `bytes` are summed over all hosts around a ring: in 2(n - 1) steps each host sends 1/n of them to the
        /// next, as soon as it has the part of the step before.
        RING_ALL_REDUCE,
        /// Every worker sends its part of `bytes` to each server, which answers all workers with as much once it has
        /// heard from all.
        PARAMETER_SERVER
    }

    private final Kind kind;
    private final int[] hosts;
    private final int[] servers;
    private final int bytes;
    private final int[] heard;
    private int open;
    private long startPs;

    private @Nullable Traffic traffic;

    /// @param hosts all of them; workers of a parameter server
    /// @param servers of a parameter server, none otherwise
    Collective(Kind kind, int[] hosts, int[] servers, int bytes) {
        this.kind = kind;
        this.hosts = hosts.clone();
        this.servers = servers.clone();
        this.bytes = bytes;
        heard = new int[servers.length];
    }

    @Override
    public void start(Traffic with) {
        traffic = with;
        begin(with);
    }

    private void begin(Traffic with) {
        startPs = with.nowPs();
        Arrays.fill(heard, 0);
        switch (kind) {
            case ALL_TO_ALL -> {
                open = hosts.length * (hosts.length - 1);
                // Each host starts with another one, so that they do not all fall on the first.
                for (int shift = 1; shift < hosts.length; shift++) {
                    for (int i = 0; i < hosts.length; i++) {
                        with.send(hosts[i], hosts[(i + shift) % hosts.length], bytes, 0, 0);
                    }
                }
            }
            case RING_ALL_REDUCE -> {
                open = hosts.length * 2 * (hosts.length - 1);
                for (int i = 0; i < hosts.length; i++) {
                    sendStep(with, i, 0);
                }
            }
            case PARAMETER_SERVER -> {
                open = 2 * hosts.length * servers.length;
                for (int server = 0; server < servers.length; server++) {
                    for (int i = 0; i < hosts.length; i++) {
                        with.send(hosts[i], servers[(server + i) % servers.length], part(servers.length), 0, 0);
                    }
                }
            }
        }
    }

    private int part(int parts) {
        return Math.max(1, bytes / parts);
    }

    private void sendStep(Traffic with, int member, int step) {
        int next = (member + 1) % hosts.length;
        with.send(hosts[member], hosts[next], part(hosts.length), 0, step * hosts.length + next);
    }

    @Override
    public void onTimer(int host, int value) {
        throw new IllegalStateException("no timer was set");
    }

    @Override
    public void onDone(int transfer) {
        if (traffic == null) {
            return;
        }
        switch (kind) {
            case ALL_TO_ALL -> {
                // The others do not depend on it.
            }
            case RING_ALL_REDUCE -> continueRing(traffic, traffic.note(transfer));
            case PARAMETER_SERVER -> answerWorkers(traffic, transfer);
        }
        if (--open == 0) {
            traffic.endRound(startPs);
            if (traffic.nowPs() < traffic.stopPs()) {
                begin(traffic);
            }
        }
    }

    private void continueRing(Traffic with, int note) {
        int step = note / hosts.length;
        if (step + 1 < 2 * (hosts.length - 1)) {
            sendStep(with, note % hosts.length, step + 1);
        }
    }

    private void answerWorkers(Traffic with, int transfer) {
        for (int server = 0; server < servers.length; server++) {
            if (with.to(transfer) == servers[server] && ++heard[server] == hosts.length) {
                for (int host : hosts) {
                    with.send(servers[server], host, part(servers.length), 0, 0);
                }
            }
        }
    }

    @Override
    public void onLost(int transfer) {
        // The round does not end.
    }
}
