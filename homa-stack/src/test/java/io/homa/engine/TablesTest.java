package io.homa.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The engine's tables beside obviously correct ones, under random use.
class TablesTest {
    private static final int CAPACITY = 64;
    private static final int STEPS = 50_000;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void heapGivesTheSmallest(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        IndexedHeap heap = new IndexedHeap(CAPACITY);
        Map<Integer, long[]> model = new HashMap<>();
        for (int step = 0; step < STEPS; step++) {
            int entry = random.nextInt(CAPACITY);
            long key = random.nextInt(10);
            switch (random.nextInt(4)) {
                case 0, 1 -> {
                    heap.put(entry, key, step);
                    model.put(entry, new long[] {key, step});
                }
                case 2 -> {
                    heap.remove(entry);
                    model.remove(entry);
                }
                default -> {
                    if (heap.contains(entry)) {
                        heap.rekey(entry, key);
                        model.get(entry)[0] = key;
                    }
                }
            }
            int smallest = model.entrySet().stream()
                    .min(Comparator.comparing(Map.Entry::getValue, Arrays::compare))
                    .map(Map.Entry::getKey)
                    .orElse(IndexedHeap.NONE);
            assertEquals(smallest, heap.first());
            assertEquals(model.size(), heap.size());
            assertEquals(model.containsKey(entry), heap.contains(entry));
        }
    }

    /// Ids of several clients that count up, as they do, and meet in the index; some are equal.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void rpcsAreFoundByIdAndPeer(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RpcTable table = new RpcTable(CAPACITY);
        List<Peer> peers = IntStream.range(0, 4).mapToObj(Peer::new).toList();
        peers.forEach(peer -> peer.begin(0, 1 + peer.index));
        long[] nextIds = {1, 1, 101, random.nextLong() | 1};
        List<Rpc> alive = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            if (random.nextBoolean()) {
                int client = random.nextInt(peers.size());
                Rpc rpc = table.create(false, nextIds[client], peers.get(client), 4000, 32_768, step);
                if (alive.size() == CAPACITY) {
                    assertNull(rpc);
                } else {
                    assertNotNull(rpc);
                    alive.add(rpc);
                    nextIds[client] += 2;
                }
            } else if (!alive.isEmpty()) {
                Rpc rpc = alive.remove(random.nextInt(alive.size()));
                Peer peer = rpc.peer();
                table.remove(rpc);
                assertNull(table.find(rpc.id, peer, 32_768, 4000));
            }
            assertEquals(alive.size(), table.size());
            for (int i = 0; i < Math.min(4, alive.size()); i++) {
                Rpc rpc = alive.get(random.nextInt(alive.size()));
                assertSame(rpc, table.find(rpc.id, rpc.peer(), 32_768, 4000));
                assertNull(table.find(rpc.id, rpc.peer(), 32_769, 4000));
                assertTrue(table.hasId(rpc.id));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void timersExpireWhenTheyAreDue(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TimerWheel wheel = new TimerWheel(CAPACITY);
        long[] due = new long[CAPACITY];
        Arrays.fill(due, Long.MAX_VALUE);
        long nowNs = 1_000_000;
        for (int step = 0; step < STEPS; step++) {
            int entry = random.nextInt(CAPACITY);
            switch (random.nextInt(3)) {
                case 0 -> {
                    due[entry] = nowNs + random.nextLong(1L << random.nextInt(1, 34));
                    wheel.arm(entry, due[entry]);
                }
                case 1 -> {
                    due[entry] = Long.MAX_VALUE;
                    wheel.cancel(entry);
                }
                default -> {
                    nowNs += random.nextLong(1L << random.nextInt(1, 28));
                    expire(wheel, due, nowNs);
                }
            }
            assertEquals(due[entry] != Long.MAX_VALUE, wheel.isArmed(entry));
            long earliest = Arrays.stream(due).min().orElseThrow();
            assertTrue(wheel.nextDeadlineNs() <= earliest);
        }
    }

    private static void expire(TimerWheel wheel, long[] due, long nowNs) {
        for (int entry = wheel.pollExpired(nowNs); entry >= 0; entry = wheel.pollExpired(nowNs)) {
            assertTrue(due[entry] <= nowNs, "too early");
            due[entry] = Long.MAX_VALUE;
        }
        for (long at : due) {
            assertTrue(at > nowNs, "too late");
        }
    }
}
