package io.homa;

import io.homa.dpdk.DeviceKind;
import io.homa.dpdk.Eal;
import io.homa.dpdk.EalConfig;
import io.homa.dpdk.MbufPool;
import io.homa.dpdk.Port;
import io.homa.dpdk.PortConfig;
import io.homa.dpdk.PortStats;
import io.homa.dpdk.TscClock;
import io.homa.engine.Counter;
import io.homa.engine.Counters;
import io.homa.engine.Engine;
import io.homa.memory.MemoryRegions;
import io.homa.net.DpdkPortDriver;
import io.homa.net.FaultyPortDriver;
import io.homa.net.NetCounter;
import io.homa.net.NetCounters;
import io.homa.net.NetworkLayer;
import io.homa.net.PortDriver;
import io.homa.net.RingPortDriver;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.agrona.concurrent.AgentRunner;

/// The Homa transport of this process on one device: opens it, runs the protocol on a thread of its own, and
/// hands out clients and servers.
///
/// Thread-safe. Closing ends every RPC (clients hear `RpcError.CLOSED`), may come from any thread, a shutdown
/// hook included, and does nothing the second time. Messages that an application still holds then must not be
/// read any more.
public final class HomaTransport implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(HomaTransport.class.getName());

    /// Memory for DPDK beyond packet pools: queues, rings and its own tables.
    private static final int BASE_MEGABYTES = 128;

    /// What DPDK is started with at least, so that further transports of the process fit in.
    private static final int MIN_MEGABYTES = 512;

    private static final int MAX_OUTSTANDING_PER_CLIENT = 4_096;
    private static final Duration TASK_LIMIT = Duration.ofSeconds(10);

    private final HomaConfig config;
    private final MemorySegment counterMemory;
    private final Counters counters;
    private final NetCounters netCounters;
    private final LatencyRecorder latency = new LatencyRecorder();
    private final EventRouter router = new EventRouter(latency);
    private final MbufPool pool;
    private final Port port;
    private final Engine engine;
    private final CoreShare share;
    private final CoreLoop core;
    private final EngineOutbox coreOutbox;
    private final AgentRunner runner;
    private int nextEndpoint;
    private int nextClientPort = Engine.FIRST_CLIENT_PORT;
    private boolean isClosed;
    private int leakedPackets;

    private HomaTransport(HomaConfig config, Eal eal) {
        this.config = config;
        // Freed by the collector with this object: other threads may read counters while it is being closed.
        counterMemory = Arena.ofAuto().allocate(Counters.LENGTH + NetCounters.LENGTH, 64);
        MemoryRegions.add(counterMemory.address(), counterMemory.byteSize());
        counters = new Counters(counterMemory.address());
        netCounters = new NetCounters(counterMemory.address() + Counters.LENGTH);
        pool = new MbufPool(eal, config.poolPackets(), config.mtu());
        try {
            port = Port.open(eal, config.device(), PortConfig.DEFAULT.withMtu(config.mtu()), pool);
        } catch (RuntimeException e) {
            pool.close();
            MemoryRegions.remove(counterMemory.address());
            throw e;
        }
        engine = new Engine(config.engine(), pool, router, counters);
        router.engine(engine);
        int reserve = engine.receiveReserve();
        int maxSegments = engine.segmentation(1, 0).segmentCount(1_000_000);
        share = new CoreShare(engine, pool.shared(), reserve, maxSegments);
        share.freePackets(pool.available());
        coreOutbox = new EngineOutbox(engine, pool, reserve);
        NetworkLayer network = new NetworkLayer(config.net(), engine, pool, netCounters);
        String name = "homa-core-" + (config.cpu() == HomaConfig.UNPINNED ? "any" : Integer.toString(config.cpu()));
        core = new CoreLoop(name, config.cpu(), driver(), network, engine, pool, share, router, coreOutbox);
        runner = new AgentRunner(config.idle().strategy(), this::onCoreError, null, core);
    }

    private PortDriver driver() {
        PortDriver driver = new DpdkPortDriver(port, 0, new TscClock());
        if (config.device().kind() == DeviceKind.RING) {
            driver = new RingPortDriver(driver, pool);
        }
        return config.lossProbability() == 0
                ? driver
                : new FaultyPortDriver(
                        driver, pool, config.lossProbability(), config.engine().seed());
    }

    /// Opens the device and starts the protocol. For `virtio` and `memif` clients the other side must have made
    /// the socket, see [#awaitSocket].
    ///
    /// @throws io.homa.dpdk.DpdkException if library, device, permission or memory is missing; the message says
    ///     what to do
    public static HomaTransport open(HomaConfig config) {
        int poolMegabytes =
                (int) ((long) config.poolPackets() * (config.mtu() > 1500 ? config.mtu() + 1_400 : 2_600) >> 20);
        Optional<String> nic = config.device().kind() == DeviceKind.PCI
                ? Optional.of(config.device().target())
                : Optional.empty();
        EalConfig virtual = EalConfig.virtual(Math.max(MIN_MEGABYTES, poolMegabytes + BASE_MEGABYTES));
        Eal eal = Eal.start(new EalConfig(virtual.memoryMegabytes(), virtual.mainCpu(), nic, virtual.logFile()));
        HomaTransport transport = new HomaTransport(config, eal);
        AgentRunner.startOnThread(transport.runner, work -> {
            Thread thread = new Thread(work, transport.core.roleName());
            thread.setDaemon(true);
            return thread;
        });
        return transport;
    }

    /// Waits until the device's other side has made the socket and, on devices in memory, is connected.
    ///
    /// @return false if that did not happen within `limit`
    public static boolean awaitSocket(HomaConfig config, Duration limit) {
        boolean needsSocket = config.device().kind() == DeviceKind.VIRTIO
                || (config.device().kind() == DeviceKind.MEMIF
                        && !"server".equals(config.device().options().get("role")));
        return !needsSocket || await(limit, () -> Files.exists(config.device().socket()));
    }

    /// Waits until the link is up; returns false if it is not within `limit`.
    public boolean awaitLink(Duration limit) {
        return await(limit, port::isLinkUp);
    }

    private static boolean await(Duration limit, Supplier<Boolean> condition) {
        long deadlineNs = System.nanoTime() + limit.toNanos();
        while (!condition.get()) {
            if (System.nanoTime() - deadlineNs > 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(1_000_000);
        }
        return true;
    }

    private void onCoreError(Throwable error) {
        LOG.log(
                Level.ERROR,
                "The thread " + core.roleName() + " failed; this is a bug. Its RPCs may hang; close the transport.",
                error);
    }

    /// Serves a port on an application thread.
    ///
    /// @throws HomaException if the port is not 1…32767 or open already
    public HomaServer server(int homaPort) {
        checkServerPort(homaPort);
        return onCore(() -> {
            requirePort(homaPort, true);
            PolledEndpoint endpoint = addEndpoint(i ->
                    new PolledEndpoint(i, homaPort, config.engine().limits().maxRpcs(), 1));
            return new HomaServer(this, share, endpoint);
        });
    }

    /// Serves a port on the engine's thread: `application` may also send requests, from that port.
    ///
    /// @throws HomaException if the port is not 1…32767 or open already
    public void serveInline(int homaPort, InlineApplication application) {
        checkServerPort(homaPort);
        openInline(homaPort, true, application);
    }

    /// Runs an application that only sends requests on the engine's thread, with a port of its own.
    public void runInline(InlineApplication application) {
        onCore(() -> {
            startInline(takeClientPort(), application);
            return true;
        });
    }

    private void openInline(int homaPort, boolean acceptsRequests, InlineApplication application) {
        onCore(() -> {
            requirePort(homaPort, acceptsRequests);
            startInline(homaPort, application);
            return true;
        });
    }

    private void startInline(int homaPort, InlineApplication application) {
        int maxOutstanding = config.engine().limits().maxRpcs();
        InlineEndpoint endpoint =
                addEndpoint(i -> new InlineEndpoint(i, homaPort, coreOutbox, application, maxOutstanding));
        core.addInline(endpoint);
        endpoint.start();
    }

    /// Opens a polled client with an automatic port.
    public HomaClient client() {
        return onCore(() -> {
            int homaPort = takeClientPort();
            int outstanding = Math.min(
                    MAX_OUTSTANDING_PER_CLIENT, config.engine().limits().maxRpcs());
            PolledEndpoint endpoint = addEndpoint(i -> new PolledEndpoint(i, homaPort, outstanding, outstanding));
            return new HomaClient(this, share, endpoint, outstanding);
        });
    }

    /// Opens a client for blocking calls and futures, with an automatic port.
    public HomaAsyncClient asyncClient() {
        return new HomaAsyncClient(client());
    }

    private static void checkServerPort(int homaPort) {
        if (homaPort < 1 || homaPort >= Engine.FIRST_CLIENT_PORT) {
            throw new HomaException("Homa port " + homaPort + " cannot be served; servers use 1 to "
                    + (Engine.FIRST_CLIENT_PORT - 1) + ", the others are given to clients.");
        }
    }

    private void requirePort(int homaPort, boolean acceptsRequests) {
        if (!engine.openPort(homaPort, acceptsRequests)) {
            throw new HomaException("Homa port " + homaPort
                    + " is in use in this transport. Choose another, or close the server that has it.");
        }
    }

    private int takeClientPort() {
        for (int tries = 0; tries < Engine.FIRST_CLIENT_PORT; tries++) {
            int candidate = nextClientPort;
            nextClientPort = candidate == 65_535 ? Engine.FIRST_CLIENT_PORT : candidate + 1;
            if (engine.openPort(candidate, false)) {
                return candidate;
            }
        }
        throw new HomaException("All client ports are in use. Close clients that are no longer needed.");
    }

    private <E extends Endpoint> E addEndpoint(IntFunction<E> factory) {
        if (nextEndpoint == EventRouter.MAX_ENDPOINTS) {
            throw new HomaException("This transport has opened " + EventRouter.MAX_ENDPOINTS
                    + " clients and servers, its limit. Keep clients instead of opening new ones.");
        }
        E endpoint = factory.apply(nextEndpoint);
        router.add(nextEndpoint++, endpoint);
        return endpoint;
    }

    /// Runs `task` on the engine's thread and returns its result.
    private <T> T onCore(Supplier<T> task) {
        if (share.isClosed()) {
            throw new HomaException("This transport is closed. Open another.");
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        core.submit(() -> {
            try {
                result.complete(task.get());
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        try {
            return result.orTimeout(TASK_LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof HomaException cause) {
                throw cause;
            }
            throw new HomaException("The thread " + core.roleName() + " did not answer: " + e.getCause(), e);
        }
    }

    void closeEndpoint(Endpoint endpoint) {
        if (!share.isClosed()) {
            core.submit(() -> engine.closePort(endpoint.homaPort(), core.nowNs()));
        }
    }

    /// Returns a count of the engine; 0 after closing. Any thread.
    public long count(Counter counter) {
        return isClosed ? 0 : counters.get(counter);
    }

    /// Returns a count of the network layer. Any thread.
    public long count(NetCounter counter) {
        return isClosed ? 0 : netCounters.get(counter);
    }

    /// Returns the device's own counts.
    public PortStats deviceStats() {
        return port.stats();
    }

    /// Returns the round-trip times of this transport's requests.
    public LatencyRecorder latency() {
        return latency;
    }

    /// Returns the longest time between two polls since the last call, in nanoseconds.
    public long takeLargestPollGapNs() {
        return core.takeLargestGapNs();
    }

    /// Returns the configuration in force.
    public HomaConfig config() {
        return config;
    }

    /// Returns the packets that were still missing from the pool when the transport was closed: held by
    /// applications, or leaked.
    public synchronized int leakedPackets() {
        return leakedPackets;
    }

    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        share.close();
        runner.close();
        port.close();
        isClosed = true;
        leakedPackets = config.poolPackets() - exactlyAvailable();
        share.withdraw();
        pool.close();
        MemoryRegions.remove(counterMemory.address());
    }

    private int exactlyAvailable() {
        return pool.shared().available() + pool.localCount();
    }
}
