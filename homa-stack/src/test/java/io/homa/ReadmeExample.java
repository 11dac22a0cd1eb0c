package io.homa;

import java.nio.ByteBuffer;
import java.time.Duration;

/// The program in README.md: what stands between the two marks is printed there, and a test compares and runs it.
final class ReadmeExample {
    private ReadmeExample() {}

    // README begins
    static long add(long a, long b) throws InterruptedException {
        HomaConfig config = HomaConfig.builder("ring:", "10.0.0.1/24").build();
        try (HomaTransport homa = HomaTransport.open(config);
                HomaAsyncClient client = homa.asyncClient()) {
            homa.serveInline(4000, new Adder());
            byte[] question = ByteBuffer.allocate(16).putLong(a).putLong(b).array();
            byte[] answer = client.call(HomaAddress.parse("10.0.0.1:4000"), question, Duration.ofSeconds(10));
            return ByteBuffer.wrap(answer).getLong();
        }
    }

    static final class Adder implements InlineApplication {
        @Override
        public void onRequest(Request request) { // on the engine's core: no copy, no garbage, no waiting
            MessageWriter sum = request.claimResponse(Long.BYTES); // null when all packets are in use
            if (sum != null) {
                sum.putLong(request.message().readLong() + request.message().readLong());
                request.reply(sum);
            }
        }
    }
    // README ends
}
