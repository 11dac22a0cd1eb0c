package io.homa.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.memory.Memory;
import io.homa.memory.Packet;
import java.util.PriorityQueue;

/// Two hosts in virtual time and the wire between them, which treats every packet as its [Fate] says.
final class TestWire {
    /// Decides what becomes of a packet.
    interface Fate {
        /// Value of [#delayNs] for a packet that gets lost.
        long LOST = -1;

        /// Returns how long the packet is on its way, or [#LOST]. `homa` is Homa header and payload.
        long delayNs(byte[] homa, long nowNs);
    }

    private record Flight(long arrivalNs, long order, TestHost from, TestHost to, byte[] bytes, int priority) {}

    private final PriorityQueue<Flight> flights = new PriorityQueue<>((a, b) ->
            a.arrivalNs != b.arrivalNs ? Long.compare(a.arrivalNs, b.arrivalNs) : Long.compare(a.order, b.order));
    private final TestHost alice;
    private final TestHost bob;
    private final Fate fate;
    private long order;
    private long nowNs = 1_000_000;

    TestWire(TestHost alice, TestHost bob, Fate fate) {
        this.alice = alice;
        this.bob = bob;
        this.fate = fate;
    }

    long nowNs() {
        return nowNs;
    }

    /// Lets time go on to the next thing that happens.
    void step() {
        send(alice, bob);
        send(bob, alice);
        long next = Math.min(nextNs(alice), nextNs(bob));
        if (!flights.isEmpty()) {
            next = Math.min(next, flights.peek().arrivalNs);
        }
        nowNs = Math.clamp(next, nowNs + 1, nowNs + 5_000_000);
        while (!flights.isEmpty() && flights.peek().arrivalNs <= nowNs) {
            deliver(flights.poll());
        }
        alice.tick(nowNs);
        bob.tick(nowNs);
    }

    private static long nextNs(TestHost host) {
        return Math.min(host.engine.nextDeadlineNs(), host.engine.nextTransmitNs());
    }

    private void send(TestHost from, TestHost to) {
        for (long packet = from.engine.nextTransmit(nowNs); packet != 0; packet = from.engine.nextTransmit(nowNs)) {
            byte[] bytes = new byte[Packet.length(packet)];
            Memory.copyTo(Packet.data(packet), bytes, 0, bytes.length);
            int priority = Packet.priority(packet);
            from.pool.release(packet);
            long delayNs = fate.delayNs(bytes, nowNs);
            if (delayNs != Fate.LOST) {
                flights.add(new Flight(nowNs + delayNs, order++, from, to, bytes, priority));
            }
        }
    }

    private void deliver(Flight flight) {
        TestHost to = flight.to;
        long packet = to.pool.allocate();
        assertTrue(packet != 0, "the test's pool is too small");
        Packet.frame(packet, Packet.HEADROOM, flight.bytes.length);
        Memory.copyFrom(flight.bytes, 0, Packet.data(packet), flight.bytes.length);
        assertEquals(Engine.CONSUMED, to.engine.onPacket(packet, 0, flight.from.addressLow, flight.priority, nowNs));
    }
}
