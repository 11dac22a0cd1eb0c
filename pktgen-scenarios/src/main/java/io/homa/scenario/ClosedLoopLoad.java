package io.homa.scenario;

import io.homa.HomaAddress;
import io.homa.InlineApplication;
import io.homa.InlineClient;
import io.homa.Message;
import io.homa.MessageWriter;
import io.homa.Request;
import io.homa.engine.RpcError;
import io.homa.memory.HotPath;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Client and server of one host on the engine's thread: keeps a number of requests of a workload's sizes on their
/// way to a peer, answers the peer's, and checks every byte of both.
///
/// A response has the size of its request. Round-trip times run from before the request is written until its
/// response is complete. Other threads start, stop and watch it; results may be read once [#isDrained].
public final class ClosedLoopLoad implements InlineApplication, Exchange {
    private static final int MAX_WAITING = 16_384;

    private final HomaAddress peer;
    private final Workload workload;
    private final SplittableRandom random;
    private final int outstanding;
    private final LatencyBySize latency = new LatencyBySize();
    private final WaitingRequests waiting = new WaitingRequests(MAX_WAITING);

    // Of each request on its way, by slot; a tag of −1 marks a free slot.
    private final long[] tags;
    private final long[] sentNs;
    private final int[] lengths;

    private @Nullable InlineClient client;
    private final AllocationMeter allocation = new AllocationMeter();
    private long nextTag;
    private int inFlight;
    private long corrupt;
    private long lost;
    private long duplicated;
    private long checkedMessages;
    private long checkedBytes;

    private final ExchangePhase phase = new ExchangePhase();
    private volatile boolean isRecording;
    private volatile long ended;
    private volatile long served;
    private volatile long recordedBytes;
    private volatile long recordedRpcs;

    /// @param outstanding requests on their way at the same time, 1 or more
    public ClosedLoopLoad(HomaAddress peer, Workload workload, int outstanding, long seed) {
        this.peer = peer;
        this.workload = workload;
        this.outstanding = outstanding;
        random = new SplittableRandom(seed);
        tags = new long[outstanding];
        sentNs = new long[outstanding];
        lengths = new int[outstanding];
        for (int slot = 0; slot < outstanding; slot++) {
            free(slot);
        }
    }

    private void free(int slot) {
        tags[slot] = -1;
        lengths[slot] = workload.sample(random);
    }

    @Override
    public void start() {
        phase.start();
    }

    @Override
    public void record(boolean on) {
        isRecording = on;
    }

    @Override
    public void stop() {
        phase.stop();
    }

    @Override
    public boolean isDrained() {
        return phase.isDrained();
    }

    @Override
    public void onStart(InlineClient inlineClient) {
        client = inlineClient;
    }

    @Override
    @HotPath
    public int onCycle(long nowNs) {
        InlineClient out = client;
        if (out == null) {
            return 0;
        }
        allocation.observe(isRecording);
        int work = answerWaiting(out);
        if (phase.isRunning()) {
            for (int slot = 0; inFlight < outstanding && slot < outstanding; slot++) {
                if (tags[slot] == -1) {
                    if (!send(out, slot)) {
                        break;
                    }
                    work++;
                }
            }
        } else if (inFlight == 0) {
            phase.onIdle();
        }
        return work;
    }

    @HotPath
    private boolean send(InlineClient out, int slot) {
        long startNs = System.nanoTime();
        MessageWriter request = out.claim(peer, lengths[slot]);
        if (request == null) {
            return false;
        }
        long tag = nextTag;
        MessageContents.write(request, tag, PayloadPattern.REQUEST);
        if (out.send(peer, request, slot) < 0) {
            request.abort();
            return false;
        }
        nextTag++;
        tags[slot] = tag;
        sentNs[slot] = startNs;
        inFlight++;
        return true;
    }

    @Override
    @HotPath
    public void onRequest(Request request) {
        Message message = request.message();
        int length = message.length();
        long tag = MessageContents.tag(message);
        check(MessageContents.isIntact(message, length, tag, PayloadPattern.REQUEST), length);
        MessageWriter response = request.claimResponse(length);
        if (response == null) {
            waiting.add(request.rpc(), request.clientHost(), tag, length);
            return;
        }
        MessageContents.write(response, tag, PayloadPattern.RESPONSE);
        if (request.reply(response) < 0) {
            response.abort();
        }
        countServed();
    }

    @HotPath
    private int answerWaiting(InlineClient out) {
        if (waiting.isEmpty()) {
            return 0;
        }
        MessageWriter response = out.claimResponse(waiting.clientHost(), waiting.length());
        if (response == null) {
            return 0;
        }
        MessageContents.write(response, waiting.kept(), PayloadPattern.RESPONSE);
        if (out.reply(waiting.rpc(), response) < 0) {
            response.abort();
        }
        waiting.remove();
        countServed();
        return 1;
    }

    @Override
    @HotPath
    public void onResponse(long cookie, Message response, long rttNs) {
        long endNs = System.nanoTime();
        int slot = (int) cookie;
        if (tags[slot] == -1) {
            duplicated++;
            return;
        }
        int length = lengths[slot];
        check(MessageContents.isIntact(response, length, tags[slot], PayloadPattern.RESPONSE), response.length());
        if (isRecording) {
            latency.record(length, endNs - sentNs[slot]);
            countRecorded(length);
        }
        endRequest(slot);
    }

    @Override
    @HotPath
    public void onFailure(long cookie, RpcError error) {
        // Until the first answer the peer may still be starting; the request is sent again.
        boolean isFirstContact = ended == 0 && error == RpcError.HOST_UNREACHABLE;
        if (isFirstContact) {
            int slot = (int) cookie;
            free(slot);
            inFlight--;
            return;
        }
        lost++;
        endRequest((int) cookie);
    }

    @HotPath
    private void endRequest(int slot) {
        free(slot);
        inFlight--;
        countEnded();
    }

    @HotPath
    private void check(boolean isIntact, int length) {
        checkedMessages++;
        checkedBytes += length;
        if (!isIntact) {
            corrupt++;
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer, the engine's thread; others only read
    private void countServed() {
        served++;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer, the engine's thread; others only read
    private void countEnded() {
        ended++;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer, the engine's thread; others only read
    private void countRecorded(int length) {
        recordedBytes += 2L * length;
        recordedRpcs++;
    }

    @Override
    public long ended() {
        return ended;
    }

    @Override
    public long served() {
        return served;
    }

    @Override
    public long recordedBytes() {
        return recordedBytes;
    }

    @Override
    public long recordedRpcs() {
        return recordedRpcs;
    }

    @Override
    public long allocatedBytes() {
        return allocation.bytes();
    }

    @Override
    public LatencyBySize latency() {
        return latency;
    }

    @Override
    public IntegrityCount integrity() {
        return new IntegrityCount(checkedMessages, checkedBytes, corrupt, lost + inFlight, duplicated);
    }
}
