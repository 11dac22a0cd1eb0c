package io.homa.scenario;

import org.jspecify.annotations.Nullable;

/// At regular times every sender sends to every receiver at once: an incast if there is one receiver. A round lasts
/// until all have arrived; rounds may overlap, of which the time of the latest counts. One thread.
final class Burst implements Pattern {
    private final int[] from;
    private final int[] to;
    private final int bytes;
    private final long everyPs;
    /// Transfers on their way, and start of the round, by round modulo the length.
    private final int[] open = new int[1_024];

    private final long[] startPs = new long[1_024];
    private int round;

    private @Nullable Traffic traffic;

    Burst(int[] from, int[] to, int bytes, long everyPs) {
        this.from = from.clone();
        this.to = to.clone();
        this.bytes = bytes;
        this.everyPs = everyPs;
    }

    @Override
    public void start(Traffic with) {
        traffic = with;
        with.at(everyPs, from[0], 0);
    }

    @Override
    public void onTimer(int host, int value) {
        if (traffic == null) {
            throw new IllegalStateException("not started");
        }
        if (traffic.nowPs() >= traffic.stopPs()) {
            return;
        }
        int slot = round++ % open.length;
        open[slot] = 0;
        startPs[slot] = traffic.nowPs();
        for (int receiver : to) {
            for (int sender : from) {
                if (sender != receiver) {
                    open[slot]++;
                    traffic.send(sender, receiver, bytes, 0, slot);
                }
            }
        }
        traffic.at(traffic.nowPs() + everyPs, from[0], 0);
    }

    @Override
    public void onDone(int transfer) {
        if (traffic != null) {
            int slot = traffic.note(transfer);
            if (--open[slot] == 0) {
                traffic.endRound(startPs[slot]);
            }
        }
    }

    @Override
    public void onLost(int transfer) {
        // Its round does not end.
    }
}
