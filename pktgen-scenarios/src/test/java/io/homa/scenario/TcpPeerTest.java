package io.homa.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Two peers exchange verified messages over the kernel's loopback.
@Timeout(60)
class TcpPeerTest {
    private static Thread start(TcpPeer peer) {
        return Thread.ofPlatform().start(() -> {
            try {
                peer.run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void messagesOfAWorkloadArriveIntactBothWays() throws Exception {
        Workload workload = Workload.builtIn("W4").cutAt(1_000_000);
        TcpPeer alice = new TcpPeer(workload, 3, 1);
        TcpPeer bob = new TcpPeer(workload, 3, 2);
        alice.connect(bob.port());
        bob.connect(alice.port());
        Thread one = start(alice);
        Thread two = start(bob);
        alice.record(true);
        bob.record(true);
        alice.start();
        bob.start();
        await(() -> alice.ended() >= 200 && bob.ended() >= 200);
        alice.stop();
        bob.stop();
        await(() -> alice.isDrained() && bob.isDrained());
        alice.close();
        bob.close();
        one.join();
        two.join();
        ExchangeSummary both = ExchangeSummary.of(alice).plus(ExchangeSummary.of(bob));
        assertTrue(both.integrity().isClean(), both.integrity().toString());
        assertEquals(both.ended(), both.served());
        assertEquals(2 * both.ended(), both.integrity().messages());
        assertEquals(both.bytes(), both.integrity().bytes());
        assertEquals(both.rpcs(), both.latency().all().getTotalCount());
    }
}
