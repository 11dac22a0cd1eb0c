package io.homa.scenario;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Every sender keeps a number of transfers on their way, each to a receiver drawn by chance or to a partner of its
/// own; one that ends is followed by the next. One thread.
final class ClosedLoop implements Pattern {
    private final int[] from;
    private final int[] to;
    private final int bytes;
    private final int answerBytes;
    private final int outstanding;
    private final boolean hasPartners;
    private final SplittableRandom random;

    private @Nullable Traffic traffic;

    /// @param hasPartners whether sender i always sends to receiver i; else to any but itself
    ClosedLoop(int[] from, int[] to, int bytes, int answerBytes, int outstanding, boolean hasPartners, long seed) {
        this.from = from.clone();
        this.to = to.clone();
        this.bytes = bytes;
        this.answerBytes = answerBytes;
        this.outstanding = outstanding;
        this.hasPartners = hasPartners;
        random = new SplittableRandom(seed);
    }

    @Override
    public void start(Traffic with) {
        traffic = with;
        for (int i = 0; i < outstanding; i++) {
            for (int sender = 0; sender < from.length; sender++) {
                send(with, sender);
            }
        }
    }

    private void send(Traffic with, int sender) {
        int receiver = hasPartners ? to[sender] : to[random.nextInt(to.length)];
        while (receiver == from[sender]) {
            receiver = to[random.nextInt(to.length)];
        }
        with.send(from[sender], receiver, bytes, answerBytes, sender);
    }

    @Override
    public void onTimer(int host, int sender) {
        next(sender);
    }

    private void next(int sender) {
        if (traffic == null) {
            throw new IllegalStateException("not started");
        }
        if (traffic.nowPs() < traffic.stopPs()) {
            send(traffic, sender);
        }
    }

    @Override
    public void onDone(int transfer) {
        if (traffic != null) {
            next(traffic.note(transfer));
        }
    }

    @Override
    public void onLost(int transfer) {
        onDone(transfer);
    }
}
