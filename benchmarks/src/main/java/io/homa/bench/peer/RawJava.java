package io.homa.bench.peer;

import io.homa.bench.load.Contents;
import io.homa.bench.load.FlowResult;
import io.homa.bench.load.Load;
import io.homa.bench.load.LoadGenerator;
import io.homa.bench.load.LoadResult;
import io.homa.bench.load.Stalls;
import io.homa.dpdk.QueuePair;
import io.homa.dpdk.ThreadAffinity;
import io.homa.memory.HotPath;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// The floor in Java: what `raw-ping` does, through the bindings, without a protocol. A message of several packets is
/// as many frames.
final class RawJava {
    private static final long LOST_NS = 1_000_000_000L;
    private static final long START_LIMIT_NS = 20_000_000_000L;

    private RawJava() {}

    /// Sends echoes back and reads data.
    static final class Server implements PeerServer, Pump.Cycle {
        private final Path socket;
        private final RawFrames frames;
        private final Pump pump;
        private long wrong;

        Server(SideConfig side) {
            socket = HomaConfigs.newSocket(side);
            frames = new RawFrames("vhost:" + socket, side.mtu());
            pump = new Pump(side, "bench-server", this);
        }

        @Override
        public void begin() {
            ThreadAffinity.registerThread();
        }

        @Override
        public void end() {
            ThreadAffinity.unregisterThread();
        }

        @Override
        @HotPath
        public void run(@Nullable LoadGenerator load) {
            int received = frames.receive();
            int echoes = 0;
            for (int i = 0; i < received; i++) {
                long packet = frames.packet(i);
                int operation = frames.operation(packet);
                if (operation == RawFrames.ECHO || operation == RawFrames.END) {
                    frames.put(echoes++, packet);
                    continue;
                }
                if (operation == RawFrames.DATA_TOUCHED
                        && !Contents.isIntact(frames.payload(packet), 0, frames.payloadLength(packet))) {
                    wrong++;
                }
                frames.release(packet);
            }
            frames.sendAll(echoes);
        }

        @Override
        public String address() {
            return socket.toString();
        }

        @Override
        public void close() {
            pump.close();
            frames.close();
            if (wrong != 0) {
                throw new IllegalStateException(wrong + " frames came with wrong bytes");
            }
        }
    }

    /// Measures on a thread that lives as long as a load.
    static final class Client implements PeerClient {
        private final SideConfig side;
        private final RawFrames frames;

        Client(SideConfig side, String address) {
            this.side = side;
            frames = new RawFrames("virtio:" + address, side.mtu());
            long limitNs = System.nanoTime() + START_LIMIT_NS;
            while (!frames.isLinkUp()) {
                if (System.nanoTime() - limitNs > 0) {
                    throw new IllegalStateException("the link of " + address + " did not come up");
                }
                LockSupport.parkNanos(1_000_000);
            }
        }

        @Override
        public LoadResult run(Load load) throws InterruptedException {
            CompletableFuture<LoadResult> result = new CompletableFuture<>();
            Supplier<LoadResult> work = () -> switch (load.kind()) {
                case ROUND_TRIPS, MIXED -> roundTrips(load);
                case RATE -> rate(load);
                case STREAM -> stream(load);
            };
            side.thread("bench-client", () -> {
                        ThreadAffinity.registerThread();
                        try {
                            result.complete(work.get());
                        } catch (RuntimeException e) {
                            result.completeExceptionally(e);
                        } finally {
                            ThreadAffinity.unregisterThread();
                        }
                    })
                    .start();
            try {
                return result.get(load.warmUpMs() + load.measureMs() + 10_000, TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new IllegalStateException("raw-java: " + e, e);
            }
        }

        private LoadResult roundTrips(Load load) {
            int size = load.flow().requestBytes();
            Histogram times = FlowResult.newHistogram();
            long startNs = System.nanoTime();
            long measureNs = startNs + load.warmUpMs() * 1_000_000L;
            long endNs = measureNs + load.measureMs() * 1_000_000L;
            long rpcs = 0;
            Stalls before = Stalls.now();
            for (long nowNs = startNs; nowNs - endNs < 0; rpcs++) {
                long sentNs = System.nanoTime();
                roundTrip(RawFrames.ECHO, size);
                nowNs = System.nanoTime();
                if (sentNs - measureNs >= 0) {
                    FlowResult.record(times, nowNs - sentNs);
                }
            }
            return result(times.getTotalCount(), load.measureMs() * 1_000_000L, times, rpcs, before);
        }

        private LoadResult rate(Load load) {
            int outstanding = load.flow().outstanding();
            for (int i = 0; i < outstanding; i++) {
                frames.put(0, frames.make(RawFrames.ECHO, load.flow().requestBytes()));
                frames.sendAll(1);
            }
            Stalls before = Stalls.now();
            long warm = bounce(load.warmUpMs() * 1_000_000L);
            long startNs = System.nanoTime();
            long count = bounce(load.measureMs() * 1_000_000L);
            long elapsedNs = System.nanoTime() - startNs;
            drain(outstanding);
            return result(count, elapsedNs, FlowResult.newHistogram(), warm + count, before);
        }

        /// Sends frames that came back again, for a time, and returns how many came.
        @HotPath
        private long bounce(long timeNs) {
            long endNs = System.nanoTime() + timeNs;
            long count = 0;
            while (System.nanoTime() - endNs < 0) {
                int received = frames.receive();
                for (int i = 0; i < received; i++) {
                    frames.put(i, frames.packet(i));
                }
                frames.sendAll(received);
                count += received;
            }
            return count;
        }

        @HotPath
        private void drain(int expected) {
            long limitNs = System.nanoTime() + LOST_NS;
            for (int back = 0; back < expected && System.nanoTime() - limitNs < 0; ) {
                int received = frames.receive();
                for (int i = 0; i < received; i++) {
                    frames.release(frames.packet(i));
                }
                back += received;
            }
        }

        private LoadResult stream(Load load) {
            Stalls before = Stalls.now();
            pour(load.warmUpMs() * 1_000_000L);
            long startNs = System.nanoTime();
            long packets = pour(load.measureMs() * 1_000_000L);
            // The last frame is echoed after all others were received, so the time includes them.
            roundTrip(RawFrames.END, frames.room());
            long elapsedNs = System.nanoTime() - startNs;
            // In messages of the load, so that all transports are counted alike.
            long messages = packets * frames.room() / load.flow().requestBytes();
            return result(messages, elapsedNs, FlowResult.newHistogram(), messages, before);
        }

        @HotPath
        private long pour(long timeNs) {
            long endNs = System.nanoTime() + timeNs;
            long packets = 0;
            while (System.nanoTime() - endNs < 0) {
                int made = 0;
                for (; made < QueuePair.BURST; made++) {
                    long packet = frames.make(RawFrames.DATA_TOUCHED, frames.room());
                    if (packet == 0) {
                        break;
                    }
                    Contents.write(frames.payload(packet), 0, frames.room());
                    frames.put(made, packet);
                }
                frames.sendAll(made);
                packets += made;
            }
            return packets;
        }

        @HotPath
        private void roundTrip(int operation, int size) {
            int expected = (size + frames.room() - 1) / frames.room();
            for (int left = size; left > 0; ) {
                int made = 0;
                for (; made < QueuePair.BURST && left > 0; made++) {
                    int length = Math.min(left, frames.room());
                    frames.put(made, frames.make(operation, length));
                    left -= length;
                }
                frames.sendAll(made);
            }
            long limitNs = System.nanoTime() + LOST_NS;
            for (int back = 0; back < expected; ) {
                int received = frames.receive();
                for (int i = 0; i < received; i++) {
                    if (frames.operation(frames.packet(i)) == operation) {
                        back++;
                    }
                    frames.release(frames.packet(i));
                }
                if (received == 0 && System.nanoTime() - limitNs > 0) {
                    throw new IllegalStateException("frames were lost");
                }
            }
        }

        private static LoadResult result(long count, long elapsedNs, Histogram times, long rpcs, Stalls before) {
            Stalls stalls = Stalls.now().since(before);
            return new LoadResult(java.util.List.of(FlowResult.of(count, rpcs, elapsedNs, times)), 0, 0, stalls);
        }

        @Override
        public void close() {
            frames.close();
        }
    }
}
