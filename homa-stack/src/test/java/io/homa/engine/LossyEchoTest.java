package io.homa.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.memory.Memory;
import io.homa.memory.Packet;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Two engines over a wire that delays, drops and reorders: every byte arrives, nothing is left over.
class LossyEchoTest {
    private record Flight(long arrivalNs, long order, TestHost from, TestHost to, byte[] bytes) {}

    private static final int[] SIZES = {1, 100, 1_424, 1_425, 40_000, 40_001, 100_000, 500_000, 1_000_000};

    private final PriorityQueue<Flight> wire = new PriorityQueue<>((a, b) ->
            a.arrivalNs != b.arrivalNs ? Long.compare(a.arrivalNs, b.arrivalNs) : Long.compare(a.order, b.order));
    private long order;

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.01, 0.1})
    void everyByteArrives(double loss) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);
        EngineConfig config = EngineConfig.DEFAULT;
        try (TestHost alice = new TestHost(1, config, 8_000);
                TestHost bob = new TestHost(2, config, 8_000)) {
            long nowNs = 1_000_000;
            int sent = 0;
            long endNs = nowNs + 60_000_000_000L;
            while ((alice.responses < SIZES.length * 4 || alice.engine.rpcCount() + bob.engine.rpcCount() > 0)
                    && nowNs < endNs) {
                if (sent < SIZES.length * 4 && alice.engine.rpcCount() < 3) {
                    assertTrue(alice.request(bob, SIZES[sent % SIZES.length], sent, nowNs) > 0);
                    sent++;
                }
                step(alice, bob, nowNs, loss, random);
                step(bob, alice, nowNs, loss, random);
                nowNs = nextNs(nowNs, alice, bob);
                while (!wire.isEmpty() && wire.peek().arrivalNs <= nowNs) {
                    deliver(wire.poll(), nowNs);
                }
                alice.tick(nowNs);
                bob.tick(nowNs);
            }
            assertEquals(SIZES.length * 4, alice.responses, () -> "failures: " + alice.failures);
            assertEquals(SIZES.length * 4, bob.requests);
            assertEquals(0, alice.engine.rpcCount());
            assertEquals(0, bob.engine.rpcCount());
            assertEquals(alice.pool.capacity(), alice.pool.available());
            assertEquals(bob.pool.capacity(), bob.pool.available());
        }
    }

    private static long nextNs(long nowNs, TestHost... hosts) {
        long next = nowNs + 5_000;
        for (TestHost host : hosts) {
            next = Math.min(next, Math.max(nowNs + 1, host.engine.nextDeadlineNs()));
            next = Math.min(next, Math.max(nowNs + 1, host.engine.nextTransmitNs()));
        }
        return next;
    }

    private void step(TestHost from, TestHost to, long nowNs, double loss, RandomGenerator random) {
        for (long packet = from.engine.nextTransmit(nowNs); packet != 0; packet = from.engine.nextTransmit(nowNs)) {
            byte[] bytes = new byte[Packet.length(packet)];
            Memory.copyTo(Packet.data(packet), bytes, 0, bytes.length);
            from.pool.release(packet);
            if (random.nextDouble() >= loss) {
                long delayNs = 4_000L + random.nextInt(1_000);
                wire.add(new Flight(nowNs + delayNs, order++, from, to, bytes));
            }
        }
    }

    private static void deliver(Flight flight, long nowNs) {
        long packet = flight.to.pool.allocate();
        assertTrue(packet != 0);
        Packet.frame(packet, Packet.HEADROOM, flight.bytes.length);
        Memory.copyFrom(flight.bytes, 0, Packet.data(packet), flight.bytes.length);
        assertEquals(Engine.CONSUMED, flight.to.engine.onPacket(packet, 0, flight.from.addressLow, 0, nowNs));
    }
}
