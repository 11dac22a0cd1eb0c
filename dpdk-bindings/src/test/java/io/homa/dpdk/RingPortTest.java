package io.homa.dpdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.homa.memory.Memory;
import io.homa.memory.MemoryRegions;
import io.homa.memory.Packet;
import io.homa.memory.SharedPacketPool;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Real DPDK on its loopback device, in this process.
class RingPortTest {
    private static final int POOL_SIZE = 2_048;

    private static Eal eal() {
        return Eal.start(EalConfig.virtual(128));
    }

    @Test
    void packetsComeBackUnchanged() {
        try (MbufPool pool = new MbufPool(eal(), POOL_SIZE, 1500);
                Port port = Port.open(eal(), DeviceSpec.parse("ring:"), PortConfig.DEFAULT, pool)) {
            QueuePair queue = port.queue(0);
            for (int i = 0; i < QueuePair.BURST; i++) {
                long packet = pool.allocate();
                Packet.frame(packet, Packet.HEADROOM, 64 + i);
                Memory.putInt(Packet.data(packet), i);
                queue.put(i, packet);
            }
            assertEquals(QueuePair.BURST, queue.transmit(0, QueuePair.BURST));
            assertEquals(QueuePair.BURST, queue.receive());
            for (int i = 0; i < QueuePair.BURST; i++) {
                long packet = queue.packet(i);
                assertEquals(64 + i, Packet.length(packet));
                assertEquals(i, Memory.getInt(Packet.data(packet)));
                pool.release(packet);
            }
            assertEquals(0, queue.receive());
            assertEquals(QueuePair.BURST, port.stats().rxPackets());
            assertTrue(port.isLinkUp());
            assertEquals("net_ring", port.info().driver());
        }
    }

    @Test
    void poolRunsDryAndRecovers() {
        try (MbufPool pool = new MbufPool(eal(), POOL_SIZE, 1500)) {
            long[] packets = new long[POOL_SIZE];
            for (int i = 0; i < POOL_SIZE; i++) {
                packets[i] = pool.allocate();
                assertNotEquals(0, packets[i]);
            }
            assertEquals(0, pool.allocate());
            for (long packet : packets) {
                pool.retain(packet);
                pool.release(packet);
                pool.release(packet);
            }
            assertEquals(POOL_SIZE, exactAvailable(pool));
            assertNotEquals(0, pool.allocate());
        }
    }

    @Test
    void sharedViewTakesAllOrNothing() {
        try (MbufPool pool = new MbufPool(eal(), 128, 1500);
                Arena arena = Arena.ofConfined()) {
            SharedPacketPool shared = pool.shared();
            long array = arena.allocate(129 * 8L, 8).address();
            MemoryRegions.add(array, 129 * 8L);
            assertFalse(shared.allocate(array, 129));
            assertTrue(shared.allocate(array, 128));
            assertFalse(shared.allocate(array, 1));
            assertEquals(Packet.HEADROOM, Packet.dataOffset(Memory.getLongNative(array)));
            shared.release(array, 128);
            assertEquals(128, shared.available());
            MemoryRegions.remove(array);
        }
    }

    private static int exactAvailable(MbufPool pool) {
        int last = 0;
        for (int i = 0; i < 100; i++) {
            last = pool.available();
        }
        return last;
    }

    @Test
    void startingAgainReturnsTheRunningEnvironmentOrIsRefused() {
        Eal first = eal();
        assertSame(first, eal());
        DpdkException more = assertThrows(DpdkException.class, () -> Eal.start(EalConfig.virtual(65_536)));
        assertTrue(more.getMessage().contains("only once"), more.getMessage());
        EalConfig withNic = new EalConfig(64, 0, Optional.of("0000:00:1f.0"), Optional.empty());
        assertThrows(DpdkException.class, () -> Eal.start(withNic));
        assertTrue(Eal.version().startsWith("DPDK "));
    }

    @Test
    void startLeavesAffinityAndImplicitNullChecksAlone() {
        BitSet before = ThreadAffinity.current();
        eal();
        assertEquals(before, ThreadAffinity.current());
        // The JVM implements this check by a signal; a library that takes SIGSEGV over would kill us here.
        String[] texts = {"a", null};
        int caught = 0;
        for (int i = 0; i < 20_000; i++) {
            try {
                caught += texts[i & 1].length();
            } catch (NullPointerException e) {
                caught += 2;
            }
        }
        assertEquals(30_000, caught);
    }

    @Test
    void pinningNamesTheAllowedCpus() throws InterruptedException {
        DpdkException e = assertThrows(DpdkException.class, () -> ThreadAffinity.pin(1_000));
        assertTrue(e.getMessage().contains(ThreadAffinity.current().toString()), e.getMessage());
        int cpu = ThreadAffinity.current().nextSetBit(0);
        BitSet[] seen = new BitSet[1];
        Thread thread = new Thread(() -> {
            ThreadAffinity.pin(cpu);
            seen[0] = ThreadAffinity.current();
        });
        thread.start();
        thread.join();
        assertEquals(1, seen[0].cardinality());
    }

    @Test
    void missingSocketAndInterfaceAreNamed() {
        try (MbufPool pool = new MbufPool(eal(), 256, 1500)) {
            for (String spec :
                    new String[] {"virtio:/nowhere/x.sock", "vhost:/nowhere/x.sock", "af_packet:nosuchif0"}) {
                DpdkException e = assertThrows(
                        DpdkException.class, () -> Port.open(eal(), DeviceSpec.parse(spec), PortConfig.DEFAULT, pool));
                assertTrue(e.getMessage().contains(spec), e.getMessage());
            }
        }
    }

    @Test
    void staleSocketIsRemovedAndLiveOneIsNot(@TempDir Path directory) throws Exception {
        Path socket = directory.resolve("v.sock");
        Files.createFile(socket);
        DeviceSpec spec = DeviceSpec.parse("vhost:" + socket);
        try (MbufPool pool = new MbufPool(eal(), 512, 1500)) {
            try (Port port = Port.open(eal(), spec, PortConfig.DEFAULT, pool)) {
                assertFalse(port.isLinkUp());
                DpdkException e =
                        assertThrows(DpdkException.class, () -> Port.open(eal(), spec, PortConfig.DEFAULT, pool));
                assertTrue(e.getMessage().contains("another process listens"), e.getMessage());
            }
            // And again at the same path, at once.
            Port.open(eal(), spec, PortConfig.DEFAULT, pool).close();
        }
    }

    @Test
    void clockAdvancesLikeTheSystems() {
        eal();
        TscClock clock = new TscClock();
        long systemStart = System.nanoTime();
        long start = clock.nowNs(clock.tsc());
        while (System.nanoTime() - systemStart < 20_000_000) {
            Thread.onSpinWait();
        }
        double ratio = (double) (clock.nowNs(clock.tsc()) - start) / (System.nanoTime() - systemStart);
        assertTrue(ratio > 0.8 && ratio < 1.25, "ratio " + ratio);
    }
}
