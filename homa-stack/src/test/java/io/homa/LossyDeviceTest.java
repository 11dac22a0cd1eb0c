package io.homa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.engine.Counter;
import io.homa.engine.RpcError;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A device that loses one frame in a hundred: every RPC still completes, with the right bytes.
@Timeout(300)
class LossyDeviceTest {
    private static final int RPCS = 100_000;
    private static final int OUTSTANDING = 64;
    private static final HomaAddress SERVER = HomaAddress.parse("10.0.0.1:4000");

    /// Sends RPCs of mixed sizes to itself; the words of request and response follow from cookie and position.
    private static final class Load implements InlineApplication {
        private final RandomGenerator random =
                RandomGeneratorFactory.of("L64X128MixRandom").create(11);
        private final CountDownLatch done = new CountDownLatch(1);
        private InlineClient client;
        private int started;
        private int ended;
        private int wrong;
        private String failures = "";

        @Override
        public void onStart(InlineClient inline) {
            client = inline;
        }

        /// Mostly short messages, some of several packets, a few that need grants.
        private int nextLength() {
            int draw = random.nextInt(10_000);
            if (draw < 9_000) {
                return 8 + random.nextInt(1_400);
            }
            if (draw < 9_950) {
                return 8 + random.nextInt(40_000);
            }
            return 8 + random.nextInt(draw < 9_998 ? 200_000 : 999_990);
        }

        @Override
        public int onCycle(long nowNs) {
            int work = 0;
            while (started - ended < OUTSTANDING && started < RPCS) {
                int length = nextLength();
                MessageWriter request = client.claim(SERVER, length);
                if (request == null) {
                    break;
                }
                write(request, started, length);
                assertTrue(client.send(SERVER, request, (long) length << 32 | started) >= 0);
                started++;
                work++;
            }
            return work;
        }

        private static void write(MessageWriter out, int cookie, int length) {
            int offset = 0;
            for (; offset + 8 <= length; offset += 8) {
                out.putLong(word(cookie, offset));
            }
            for (; offset < length; offset++) {
                out.putByte(cookie + offset);
            }
        }

        private static long word(int cookie, int offset) {
            return (cookie * 0x9E37_79B9_7F4A_7C15L) ^ offset * 0xBF58_476D_1CE4_E5B9L;
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
            int length = (int) (cookie >>> 32);
            boolean isRight = response.length() == length;
            int offset = 0;
            for (; isRight && offset + 8 <= length; offset += 8) {
                isRight = response.readLong() == word((int) cookie, offset);
            }
            for (; isRight && offset < length; offset++) {
                isRight = response.readByte() == ((int) cookie + offset & 0xFF);
            }
            wrong += isRight ? 0 : 1;
            end();
        }

        @Override
        public void onFailure(long cookie, RpcError error) {
            failures += " " + error + " of " + (cookie >>> 32) + " bytes";
            end();
        }

        private void end() {
            if (++ended == RPCS) {
                done.countDown();
            }
        }
    }

    @Test
    void everyRpcCompletesAlthoughOneFrameInAHundredIsLost() throws InterruptedException {
        Load load = new Load();
        HomaTransport transport = HomaTransport.open(HomaConfig.builder("ring:", "10.0.0.1/24")
                .idle(IdleMode.YIELD)
                .lossProbability(0.01)
                .build());
        try (transport) {
            transport.serveInline(4000, load);
            assertTrue(load.done.await(240, TimeUnit.SECONDS), () -> "only " + load.ended + " RPCs ended");
            assertTrue(transport.count(Counter.DATA_BYTES_RESENT) > 0);
        }
        assertEquals("", load.failures);
        assertEquals(0, load.wrong);
        assertEquals(0, transport.leakedPackets());
    }
}
