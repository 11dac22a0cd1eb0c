package io.homa.bench.load;

import com.sun.management.ThreadMXBean;
import io.homa.memory.HotPath;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Sends the requests of a [Load] and takes their times: warms up, lets everything end, measures, lets everything
/// end again. Knows no transport: whoever polls calls [#onCycle] and [#onResponse], always on the same thread;
/// another thread waits for the result.
///
/// Of a single outstanding request the time runs from just before it is written; of many, from the start of the
/// cycle that writes it, so that the clock is read once per cycle. Of a schedule, it runs from when the request was
/// due.
public final class LoadGenerator {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    /// Longest time that the last requests are waited for.
    private static final long DRAIN_LIMIT_NS = 3_000_000_000L;

    private enum Phase {
        NEW,
        WARMING_UP,
        SETTLING,
        MEASURING,
        DRAINING,
        DONE
    }

    private final Load load;
    private final FlowState[] flows;
    private final boolean isPrecise;
    private final CountDownLatch done = new CountDownLatch(1);
    private Phase phase = Phase.NEW;
    private long phaseEndNs;
    private long cycleNs;
    private long measureStartNs;
    private long measuredNs;
    private long largestGapNs;
    private long allocatedBytes;
    private Stalls stalls = Stalls.NONE;
    private volatile String problem = "";

    public LoadGenerator(Load load) {
        this.load = load;
        isPrecise = load.kind() == Load.Kind.ROUND_TRIPS || load.kind() == Load.Kind.MIXED;
        List<FlowState> states = new ArrayList<>();
        int firstSlot = 0;
        for (Flow flow : load.flows()) {
            states.add(new FlowState(flow, firstSlot));
            firstSlot += flow.outstanding();
        }
        flows = states.toArray(FlowState[]::new);
    }

    /// Sends what is due. To be called again and again, after what has arrived was handed over.
    @HotPath
    public int onCycle(RequestSink sink) {
        long nowNs = System.nanoTime();
        long gapNs = nowNs - cycleNs;
        cycleNs = nowNs;
        if (phase == Phase.MEASURING && gapNs > largestGapNs) {
            largestGapNs = gapNs;
        }
        boolean isSending = phase == Phase.WARMING_UP || phase == Phase.MEASURING;
        if (isSending ? nowNs - phaseEndNs >= 0 : phase != Phase.DONE && isAtRest(nowNs)) {
            advance(nowNs);
            return 0;
        }
        int sent = 0;
        if (isSending) {
            for (int i = 0; i < flows.length; i++) {
                sent += flows[i].send(sink, nowNs, phase == Phase.MEASURING);
            }
        }
        return sent;
    }

    @HotPath
    private boolean isAtRest(long nowNs) {
        int inFlight = 0;
        for (int i = 0; i < flows.length; i++) {
            inFlight += flows[i].inFlight();
        }
        return inFlight == 0 || nowNs - phaseEndNs > DRAIN_LIMIT_NS;
    }

    /// Goes on to the next phase: rare, and outside what is measured.
    private void advance(long nowNs) {
        switch (phase) {
            case NEW -> {
                phase = Phase.WARMING_UP;
                phaseEndNs = nowNs + load.warmUpMs() * 1_000_000L;
            }
            case WARMING_UP -> phase = Phase.SETTLING;
            case SETTLING -> startMeasuring();
            case MEASURING -> {
                measuredNs = nowNs - measureStartNs;
                allocatedBytes = THREADS.getTotalThreadAllocatedBytes() - allocatedBytes;
                stalls = Stalls.now().since(stalls);
                for (FlowState flow : flows) {
                    flow.end(nowNs);
                }
                phase = Phase.DRAINING;
                phaseEndNs = nowNs;
            }
            case DRAINING, DONE -> {
                phase = Phase.DONE;
                done.countDown();
            }
        }
    }

    private void startMeasuring() {
        stalls = Stalls.now();
        allocatedBytes = THREADS.getTotalThreadAllocatedBytes();
        long nowNs = System.nanoTime();
        for (FlowState flow : flows) {
            flow.begin(nowNs);
        }
        cycleNs = nowNs;
        measureStartNs = nowNs;
        phaseEndNs = nowNs + load.measureMs() * 1_000_000L;
        phase = Phase.MEASURING;
    }

    /// Takes a response, which was found to be right or not.
    @HotPath
    public void onResponse(int slot, boolean isIntact) {
        long nowNs = isPrecise ? System.nanoTime() : cycleNs;
        boolean isMeasuring = phase == Phase.MEASURING;
        for (int i = 0; i < flows.length; i++) {
            if (flows[i].owns(slot)) {
                flows[i].onResponse(slot, nowNs, isIntact, isMeasuring || phase == Phase.DRAINING, isMeasuring);
            }
        }
    }

    /// Ends the load because the transport failed: [#await] throws with this reason.
    public void fail(String reason) {
        problem = reason;
        done.countDown();
    }

    /// Says whether the load has ended. The generator's thread.
    @HotPath
    public boolean isDone() {
        return phase == Phase.DONE;
    }

    /// Waits for the end and returns the result. Another thread.
    ///
    /// @throws IllegalStateException if the transport failed, or nothing happened for long
    public LoadResult await() throws InterruptedException {
        long limitMs = load.warmUpMs() + load.measureMs() + 3 * DRAIN_LIMIT_NS / 1_000_000;
        if (!done.await(limitMs, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("the load did not end within " + limitMs + " ms");
        }
        if (!problem.isEmpty()) {
            throw new IllegalStateException(problem);
        }
        List<FlowResult> results = new ArrayList<>();
        for (FlowState flow : flows) {
            results.add(flow.result(measuredNs));
        }
        return new LoadResult(results, allocatedBytes, largestGapNs, stalls);
    }
}
