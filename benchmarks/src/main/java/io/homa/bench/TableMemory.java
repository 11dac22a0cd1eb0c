package io.homa.bench;

import com.sun.management.ThreadMXBean;
import io.homa.engine.Counters;
import io.homa.engine.Engine;
import io.homa.engine.EngineConfig;
import io.homa.engine.EngineEvents;
import io.homa.engine.EngineLimits;
import io.homa.engine.RpcError;
import io.homa.memory.ArenaPacketPool;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;

/// Bytes of heap that an engine takes for each place in its tables. All of them are made when it starts, so an idle
/// peer or RPC costs what a place does, and a busy one no more (its packets apart).
final class TableMemory {
    /// Powers of two, as the hash tables are: in between they take up to twice as much per place.
    private static final int BASE = 1 << 14;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private TableMemory() {}

    static double bytesPerRpc() {
        return bytesPerPlace(2 * BASE, BASE);
    }

    static double bytesPerPeer() {
        return bytesPerPlace(BASE, 2 * BASE);
    }

    private static double bytesPerPlace(int rpcs, int peers) {
        engineBytes(BASE, BASE); // what the JVM allocates when it runs code for the first time
        return (engineBytes(rpcs, peers) - engineBytes(BASE, BASE)) / (double) BASE;
    }

    /// Returns what making an engine allocates; it keeps nearly all of it.
    private static long engineBytes(int rpcs, int peers) {
        EngineConfig config = EngineConfig.DEFAULT.withLimits(new EngineLimits(rpcs, peers, 16, 16, 16));
        try (Arena arena = Arena.ofConfined();
                ArenaPacketPool pool = new ArenaPacketPool(16, 256)) {
            long counters = arena.allocate(Counters.LENGTH, 8).address(); // of an engine to which nothing happens
            EngineEvents nobody = new Nobody();
            Counters unused = new Counters(counters);
            long before = THREADS.getCurrentThreadAllocatedBytes();
            Engine engine = new Engine(config, pool, nobody, unused);
            long after = THREADS.getCurrentThreadAllocatedBytes();
            engine.close(0);
            return after - before;
        }
    }

    /// An application that does nothing, since nothing happens.
    private static final class Nobody implements EngineEvents {
        @Override
        public void onRequest(long rpc, int peer, int clientPort, int serverPort, long firstPacket, int length) {}

        @Override
        public void onResponse(long rpc, long cookie, long firstPacket, int length, long rttNs) {}

        @Override
        public void onFailure(long rpc, long cookie, RpcError error) {}
    }
}
