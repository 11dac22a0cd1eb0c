package io.homa.bench.load;

import io.homa.memory.HotPath;
import io.homa.scenario.OpenLoopSchedule;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// A flow while it runs: which of its slots are free, when the others were sent, and the times so far. The
/// generator's thread.
final class FlowState {
    private final Flow flow;
    private final int firstSlot;
    private final Histogram times = FlowResult.newHistogram();
    private final long[] startsNs;
    private final int[] freeSlots;
    private final @Nullable OpenLoopSchedule schedule;
    private int freeCount;
    private long count;
    private long rpcs;
    private long corrupt;
    private boolean isMissed;

    FlowState(Flow flow, int firstSlot) {
        this.flow = flow;
        this.firstSlot = firstSlot;
        startsNs = new long[flow.outstanding()];
        freeSlots = new int[flow.outstanding()];
        for (int i = 0; i < freeSlots.length; i++) {
            freeSlots[i] = i;
        }
        freeCount = freeSlots.length;
        schedule = flow.perSecond() == 0 ? null : new OpenLoopSchedule(flow.perSecond());
    }

    @HotPath
    boolean owns(int slot) {
        return slot >= firstSlot && slot < firstSlot + freeSlots.length;
    }

    @HotPath
    int inFlight() {
        return freeSlots.length - freeCount;
    }

    void begin(long nowNs) {
        times.reset();
        count = 0;
        corrupt = 0;
        if (schedule != null) {
            schedule.start(nowNs);
        }
    }

    void end(long nowNs) {
        if (schedule != null) {
            isMissed = schedule.isMissed(nowNs);
        }
    }

    /// Sends what is due; by the clock only while measuring, else as fast as slots allow.
    @HotPath
    int send(RequestSink sink, long nowNs, boolean isMeasuring) {
        OpenLoopSchedule due = schedule;
        int sent = 0;
        if (due == null) {
            while (freeCount > 0 && trySend(sink, nowNs)) {
                sent++;
            }
        } else if (isMeasuring) {
            while (due.isDue(nowNs) && freeCount > 0 && trySend(sink, due.dueNs())) {
                due.onSent(nowNs);
                sent++;
            }
        } else if (inFlight() == 0 && trySend(sink, nowNs)) {
            sent++;
        }
        return sent;
    }

    @HotPath
    private boolean trySend(RequestSink sink, long startNs) {
        int slot = freeSlots[freeCount - 1];
        startsNs[slot] = startNs;
        // Taken before sending: some transports answer within the call.
        freeCount--;
        if (!sink.send(firstSlot + slot, flow.requestBytes(), flow.responseBytes())) {
            freeSlots[freeCount++] = slot;
            return false;
        }
        return true;
    }

    /// @param isRecorded whether the request was sent in the measured time
    /// @param isCounted whether that time still runs
    @HotPath
    void onResponse(int slot, long nowNs, boolean isIntact, boolean isRecorded, boolean isCounted) {
        int own = slot - firstSlot;
        if (isRecorded) {
            FlowResult.record(times, nowNs - startsNs[own]);
        }
        rpcs++;
        if (isCounted) {
            count++;
        }
        if (!isIntact) {
            corrupt++;
        }
        freeSlots[freeCount++] = own;
    }

    FlowResult result(long elapsedNs) {
        return new FlowResult(
                count,
                rpcs,
                elapsedNs,
                FlowResult.encode(times),
                schedule == null ? 0 : schedule.late(),
                schedule == null ? 0 : schedule.largestDelayNs(),
                isMissed,
                inFlight(),
                corrupt);
    }
}
