package io.homa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.homa.engine.RpcError;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// In steady state the engine's thread allocates nothing: not for receiving, not for the protocol, not for inline
/// handlers.
@Timeout(300)
class AllocationTest {
    /// Until the compiler has settled: linking a call site for the first time allocates a few hundred bytes, once.
    private static final int WARM_UP_RPCS = 500_000;

    private static final int MEASURED_RPCS = 1_000_000;

    /// Windows of a million RPCs that are measured at most. What the code allocates by itself it allocates in
    /// each of them; the compiler, when it changes its mind late, does so in one.
    private static final int WINDOWS = 3;

    private static final int OUTSTANDING = 16;
    private static final HomaAddress SERVER = HomaAddress.parse("10.0.0.1:4000");

    /// One in this many messages is long enough to need grants.
    private static final int LONG_EVERY = 4_096;

    private static final int SHORT_BYTES = 100;
    private static final int LONG_BYTES = 60_000;

    /// Sends requests to itself as fast as they are answered, and measures what its own thread allocates meanwhile.
    private static final class Load implements InlineApplication {
        private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        private final CountDownLatch done = new CountDownLatch(1);
        private final byte[] payload = new byte[LONG_BYTES];
        private InlineClient client;
        private int started;
        private int ended;
        private volatile String failures = "";
        private long before;
        private volatile long allocated = Long.MAX_VALUE;

        @Override
        public void onStart(InlineClient inline) {
            client = inline;
        }

        @Override
        public int onCycle(long nowNs) {
            int work = 0;
            while (started - ended < OUTSTANDING && done.getCount() > 0) {
                int length = started % LONG_EVERY == 0 ? LONG_BYTES : SHORT_BYTES;
                MessageWriter request = client.claim(SERVER, length);
                if (request == null) {
                    break;
                }
                request.putBytes(payload, 0, length);
                if (client.send(SERVER, request, started) < 0) {
                    request.abort();
                    break;
                }
                started++;
                work++;
            }
            return work;
        }

        @Override
        public void onRequest(Request request) {
            MessageWriter response = request.claimResponse(request.message().length());
            if (response != null) {
                response.putBytes(request.message(), request.message().length());
                request.reply(response);
            }
        }

        @Override
        public void onResponse(long cookie, Message response, long rttNs) {
            end();
        }

        @Override
        public void onFailure(long cookie, RpcError error) {
            failures = failures + " " + error;
            end();
        }

        private void end() {
            ended++;
            int measured = ended - WARM_UP_RPCS;
            if (measured < 0 || measured % MEASURED_RPCS != 0) {
                return;
            }
            long now = threads.getCurrentThreadAllocatedBytes();
            if (measured > 0) {
                allocated = now - before;
            }
            if (allocated == 0 || measured == WINDOWS * MEASURED_RPCS) {
                done.countDown();
            }
            before = threads.getCurrentThreadAllocatedBytes();
        }
    }

    @Test
    void engineThreadAllocatesNothingOverAMillionRpcs() throws InterruptedException {
        Load load = new Load();
        try (HomaTransport transport = HomaTransport.open(HomaConfig.builder("ring:", "10.0.0.1/24")
                .idle(IdleMode.YIELD)
                .poolPackets(16_384)
                .build())) {
            transport.serveInline(4000, load);
            assertTrue(load.done.await(240, TimeUnit.SECONDS), () -> "only " + load.ended + " RPCs ended");
            // Before closing, which ends the RPCs on their way.
            assertEquals("", load.failures);
        }
        assertEquals(0, load.allocated, "bytes allocated in every window of " + MEASURED_RPCS + " RPCs");
    }
}
