package io.homa.scenario;

import io.homa.HomaAddress;
import io.homa.InlineApplication;
import io.homa.InlineClient;
import io.homa.Message;
import io.homa.MessageWriter;
import io.homa.engine.RpcError;
import io.homa.memory.HotPath;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// Requests of one size to an echo server, on the engine's thread: as fast as a number of outstanding ones allows, or
/// by an [OpenLoopSchedule]. Every byte that comes back is checked.
///
/// One object serves one size. With a schedule, times run from when a request was due; without, from before it is
/// written. Results may be read once [#isDone].
public final class PingLoad implements InlineApplication {
    private static final long HIGHEST_NS = 100_000_000_000L;

    private final HomaAddress server;
    private final int size;
    private final int outstanding;
    private final long warmUp;
    private final long count;
    private final @Nullable OpenLoopSchedule schedule;
    private final Histogram times = new Histogram(1, HIGHEST_NS, 3);

    private final long[] tags;
    private final long[] startsNs;
    private final int[] freeSlots;
    private int freeCount;

    private @Nullable InlineClient client;
    private long sent;
    private long lastEndNs;
    private long corrupt;
    private long lost;
    private boolean isScheduleMissed;

    private volatile long firstRecordedNs;
    private volatile boolean isStopped;
    private volatile boolean isDone;
    private volatile long ended;
    private volatile @Nullable RpcError lastError;

    /// @param warmUp requests to send first, in a closed loop, whose times are forgotten
    /// @param count requests to measure; `Long.MAX_VALUE` until [#stop]
    public PingLoad(
            HomaAddress server,
            int size,
            int outstanding,
            long warmUp,
            long count,
            @Nullable OpenLoopSchedule schedule) {
        this.server = server;
        this.size = size;
        this.outstanding = outstanding;
        this.warmUp = warmUp;
        this.count = count;
        this.schedule = schedule;
        tags = new long[outstanding];
        startsNs = new long[outstanding];
        freeSlots = new int[outstanding];
        for (int slot = 0; slot < outstanding; slot++) {
            tags[slot] = -1;
            freeSlots[slot] = slot;
        }
        freeCount = outstanding;
    }

    @Override
    public void onStart(InlineClient inlineClient) {
        client = inlineClient;
    }

    @Override
    @HotPath
    public int onCycle(long nowNs) {
        InlineClient out = client;
        if (out == null || isDone) {
            return 0;
        }
        if (isStopped || (sent >= warmUp && sent - warmUp >= count)) {
            finishWhenDrained();
            return 0;
        }
        if (schedule != null && sent >= warmUp) {
            return sendDue(out, schedule);
        }
        int work = 0;
        long limit = schedule != null || count == Long.MAX_VALUE ? warmUp : warmUp + count;
        boolean isEndless = schedule == null && count == Long.MAX_VALUE;
        while (freeCount > 0 && (sent < limit || isEndless) && trySend(out, System.nanoTime())) {
            work++;
        }
        return work;
    }

    @HotPath
    private void finishWhenDrained() {
        if (freeCount == outstanding) {
            if (schedule != null && sent > warmUp && isStopped) {
                isScheduleMissed |= schedule.isMissed(Math.max(lastEndNs, schedule.dueNs()));
            } else if (schedule != null) {
                isScheduleMissed |= schedule.isMissed(schedule.dueNs() - 1);
            }
            isDone = true;
        }
    }

    /// Sends what is due. The first scheduled request waits until warming up has ended.
    @HotPath
    private int sendDue(InlineClient out, OpenLoopSchedule due) {
        long nowNs = System.nanoTime();
        if (sent == warmUp && due.sent() == 0) {
            if (freeCount < outstanding) {
                return 0;
            }
            due.start(nowNs);
        }
        int work = 0;
        while (sent - warmUp < count && due.isDue(nowNs) && freeCount > 0 && trySend(out, due.dueNs())) {
            due.onSent(nowNs);
            work++;
        }
        return work;
    }

    @HotPath
    private boolean trySend(InlineClient out, long startNs) {
        MessageWriter request = out.claim(server, size);
        if (request == null) {
            return false;
        }
        int slot = freeSlots[freeCount - 1];
        MessageContents.write(request, sent, PayloadPattern.REQUEST);
        if (out.send(server, request, slot) < 0) {
            request.abort();
            return false;
        }
        freeCount--;
        tags[slot] = sent;
        startsNs[slot] = startNs;
        if (sent == warmUp) {
            firstRecordedNs = startNs;
        }
        sent++;
        return true;
    }

    @Override
    @HotPath
    public void onResponse(long cookie, Message response, long rttNs) {
        long endNs = System.nanoTime();
        int slot = (int) cookie;
        if (!MessageContents.isIntact(response, size, tags[slot], PayloadPattern.REQUEST)) {
            corrupt++;
        }
        if (tags[slot] >= warmUp) {
            times.recordValue(Math.max(1, Math.min(endNs - startsNs[slot], HIGHEST_NS)));
            lastEndNs = endNs;
        }
        end(slot);
    }

    @Override
    @HotPath
    public void onFailure(long cookie, RpcError error) {
        lost++;
        lastError = error;
        end((int) cookie);
    }

    @HotPath
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer, the engine's thread; others only read
    private void end(int slot) {
        tags[slot] = -1;
        freeSlots[freeCount++] = slot;
        ended++;
    }

    /// Sends no more; done when those on their way have ended.
    public void stop() {
        isStopped = true;
    }

    /// Says whether [#stop] was called.
    public boolean isStopping() {
        return isStopped;
    }

    /// Says whether everything has ended.
    public boolean isDone() {
        return isDone;
    }

    /// Returns how many requests have ended, those for warming up included. Any thread.
    public long ended() {
        return ended;
    }

    /// Returns why the last request that failed did; null if none has. Any thread.
    public @Nullable RpcError lastError() {
        return lastError;
    }

    /// Returns how many requests there are to be, those for warming up included.
    public long total() {
        return count == Long.MAX_VALUE ? count : warmUp + count;
    }

    /// Returns for how long requests have been measured. Any thread.
    public long measuringNs() {
        return firstRecordedNs == 0 ? 0 : System.nanoTime() - firstRecordedNs;
    }

    /// Returns how many requests may be on their way at the same time.
    public int outstanding() {
        return outstanding;
    }

    /// Returns how many requests left late. After [#isDone].
    public long lateRequests() {
        return schedule == null ? 0 : schedule.late();
    }

    /// Returns the longest delay of a request behind its schedule. After [#isDone].
    public long largestDelayNs() {
        return schedule == null ? 0 : schedule.largestDelayNs();
    }

    /// Returns the size of the messages in bytes.
    public int size() {
        return size;
    }

    /// Returns the round-trip times. After [#isDone].
    public Histogram times() {
        return times;
    }

    /// Returns the time from the first measured request to the last response. After [#isDone].
    public long elapsedNs() {
        return times.getTotalCount() == 0 ? 0 : Math.max(1, lastEndNs - firstRecordedNs);
    }

    /// Returns what the checks found; a request that is still on its way counts as lost.
    public IntegrityCount integrity() {
        long received = ended - lost;
        return new IntegrityCount(received, received * size, corrupt, lost + outstanding - freeCount, 0);
    }

    /// Says whether requests left so late that the figures describe another load. After [#isDone].
    public boolean isScheduleMissed() {
        return isScheduleMissed;
    }
}
