package io.homa.scenario;

import io.homa.fabric.Application;
import io.homa.fabric.Fabric;
import io.homa.memory.HotPath;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The patterns that share a simulated network, and what became of their transfers. A transfer is one message if the
/// transport takes it, else parts of the longest message, two at a time. One thread.
public final class Traffic implements Application {
    private static final int PARTS_AT_A_TIME = 2;

    private final int longestMessage;
    private final IdealDelay ideal;
    private final long measureFromPs;
    private final long stopPs;
    private final Transfers transfers = new Transfers();
    private final List<Pattern> patterns = new ArrayList<>();
    private final List<TrafficCounts> counts = new ArrayList<>();
    /// Pattern that starts, or whose call this is.
    private int current;

    private @Nullable Fabric fabric;

    /// @param longestMessage bytes that the transport takes as one message
    /// @param measureFromPs transfers that begin from then on are measured
    /// @param stopPs end of the measurement; patterns start nothing of their own accord from then on
    public Traffic(int longestMessage, IdealDelay ideal, long measureFromPs, long stopPs) {
        this.longestMessage = longestMessage;
        this.ideal = ideal;
        this.measureFromPs = measureFromPs;
        this.stopPs = stopPs;
    }

    /// Adds a pattern, which counts in `into`.
    public void add(Pattern pattern, TrafficCounts into) {
        patterns.add(pattern);
        counts.add(into);
    }

    /// Begins on `onto`, whose application this is.
    public void start(Fabric onto) {
        fabric = onto;
        for (current = 0; current < patterns.size(); current++) {
            patterns.get(current).start(this);
        }
    }

    @HotPath
    private Fabric fabric() {
        if (fabric == null) {
            throw new IllegalStateException("not started");
        }
        return fabric;
    }

    public long nowPs() {
        return fabric().nowPs();
    }

    public long stopPs() {
        return stopPs;
    }

    /// Returns how many transfers are on their way.
    public int open() {
        return transfers.size();
    }

    /// Makes [Pattern#onTimer] of the calling pattern happen at `timePs`.
    @HotPath
    public void at(long timePs, int host, int value) {
        fabric().at(timePs, host, (long) current << 32 | value & 0xFFFF_FFFFL);
    }

    /// A round of the calling pattern, which began at `startPs`, has ended.
    public void endRound(long startPs) {
        if (startPs >= measureFromPs) {
            counts.get(current).recordRound(nowPs() - startPs);
        }
    }

    /// Starts a transfer of the calling pattern.
    ///
    /// @param answerBytes length of the answer, 0 for none; only with messages of up to the longest
    /// @param note what the pattern wants to find again
    @HotPath
    public void send(int from, int to, int bytes, int answerBytes, int note) {
        TrafficCounts count = counts.get(current);
        count.started++;
        count.startedBytes += bytes + answerBytes;
        int transfer = transfers.open(current, from, to, bytes, answerBytes, note, nowPs());
        for (int i = 0; i < PARTS_AT_A_TIME && transfers.unsent(transfer) > 0; i++) {
            sendPart(transfer);
        }
    }

    @HotPath
    private void sendPart(int transfer) {
        int bytes = Math.min(transfers.unsent(transfer), longestMessage);
        transfers.sendPart(transfer, bytes);
        fabric().send(
                        transfers.from(transfer),
                        transfers.to(transfer),
                        bytes,
                        transfers.answerBytes(transfer),
                        transfer);
    }

    public int from(int transfer) {
        return transfers.from(transfer);
    }

    public int to(int transfer) {
        return transfers.to(transfer);
    }

    public int note(int transfer) {
        return transfers.note(transfer);
    }

    public long startPs(int transfer) {
        return transfers.startPs(transfer);
    }

    @Override
    @HotPath
    public void onTimer(int host, long value) {
        current = (int) (value >>> 32);
        patterns.get(current).onTimer(host, (int) value);
    }

    @Override
    @HotPath
    public void onMessage(int host, int message) {
        if (fabric().messages().answerLength(message) == 0) {
            onPart(fabric().messages().note(message));
        }
    }

    @Override
    @HotPath
    public void onAnswer(int host, int message) {
        onPart(fabric().messages().note(message));
    }

    @HotPath
    private void onPart(int transfer) {
        int open = transfers.endPart(transfer);
        if (transfers.unsent(transfer) > 0) {
            sendPart(transfer);
        } else if (open == 0) {
            end(transfer);
        }
    }

    @HotPath
    private void end(int transfer) {
        current = transfers.owner(transfer);
        if (transfers.isGivenUp(transfer)) {
            counts.get(current).lost++;
            patterns.get(current).onLost(transfer);
        } else {
            count(transfer);
            patterns.get(current).onDone(transfer);
        }
        transfers.close(transfer);
    }

    @HotPath
    private void count(int transfer) {
        TrafficCounts count = counts.get(current);
        int bytes = transfers.bytes(transfer);
        int answer = transfers.answerBytes(transfer);
        count.done++;
        count.doneBytes += bytes + answer;
        long nowPs = nowPs();
        if (nowPs >= measureFromPs && nowPs < stopPs) {
            count.measuredBytes += bytes + answer;
        }
        long startPs = transfers.startPs(transfer);
        if (startPs >= measureFromPs) {
            int from = transfers.from(transfer);
            int to = transfers.to(transfer);
            long idealPs = ideal.ps(from, to, bytes) + (answer == 0 ? 0 : ideal.ps(to, from, answer));
            count.record(Math.max(bytes, answer), nowPs - startPs, idealPs);
        }
    }

    @Override
    public void onFailure(int host, int message) {
        int transfer = fabric().messages().note(message);
        transfers.giveUp(transfer);
        if (transfers.endPart(transfer) == 0) {
            end(transfer);
        }
    }
}
