package io.homa;

import io.homa.dpdk.ThreadAffinity;
import io.homa.engine.Engine;
import io.homa.engine.RpcError;
import io.homa.memory.HotPath;
import io.homa.memory.PacketPool;
import io.homa.net.NetworkLayer;
import io.homa.net.PortDriver;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.agrona.concurrent.Agent;

/// The duty cycle of one core: receive, engine, commands, timers, transmit. Runs on the engine's thread, which
/// owns everything it touches.
final class CoreLoop implements Agent {
    private static final int MAX_COMMANDS_PER_CYCLE = 256;
    private static final int MAX_BURSTS_PER_CYCLE = 4;

    /// Longest time for which timers wait while every burst is full: this host is overloaded then, and what it
    /// waits for may be next in the queue.
    private static final long MAX_TICK_DELAY_NS = 20_000_000;

    /// How often the device is asked whether it has a link, which may take a system call.
    private static final long LINK_CHECK_NS = 100_000_000;

    private final String name;
    private final int cpu;
    private final PortDriver driver;
    private final NetworkLayer network;
    private final Engine engine;
    private final PacketPool pool;
    private final CoreShare share;
    private final EventRouter router;
    private final EngineOutbox outbox;
    private final List<InlineEndpoint> inlineEndpoints = new ArrayList<>();
    /// Rare work from other threads: opening and closing ports.
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    private final long[] frames = new long[PortDriver.BURST];
    private int unsentFrom;
    private int unsentCount;
    private long nowNs;
    private long lastCycleNs;
    private long lastTickNs;
    private long nextLinkCheckNs;
    private volatile long largestGapNs;

    CoreLoop(
            String name,
            int cpu,
            PortDriver driver,
            NetworkLayer network,
            Engine engine,
            PacketPool pool,
            CoreShare share,
            EventRouter router,
            EngineOutbox outbox) {
        this.name = name;
        this.cpu = cpu;
        this.driver = driver;
        this.network = network;
        this.engine = engine;
        this.pool = pool;
        this.share = share;
        this.router = router;
        this.outbox = outbox;
    }

    @Override
    public String roleName() {
        return name;
    }

    @Override
    public void onStart() {
        if (cpu != HomaConfig.UNPINNED) {
            ThreadAffinity.pin(cpu);
        }
        ThreadAffinity.registerThread();
    }

    @Override
    @HotPath
    public int doWork() {
        int received = driver.receive();
        long now = driver.nowNs();
        nowNs = now;
        outbox.nowNs(now);
        trackGap(now);
        for (int i = 0; i < received; i++) {
            network.onFrame(driver.packet(i), now);
        }
        engine.onBurstEnd(now);
        share.freePackets(pool.available());
        int work = received + drainCommands(now) + runTasks() + runInline(now);
        // What has arrived is handled before anybody is blamed for silence, but a flood of packets must not stop the
        // timers.
        if (received < PortDriver.BURST || now - lastTickNs > MAX_TICK_DELAY_NS) {
            tick(now);
        }
        return work + transmit(now);
    }

    private void tick(long now) {
        lastTickNs = now;
        if (now >= engine.nextDeadlineNs()) {
            engine.onTick(now);
        }
        if (now >= network.nextDeadlineNs()) {
            network.onTick(now);
        }
        if (now >= nextLinkCheckNs) {
            nextLinkCheckNs = now + LINK_CHECK_NS;
            network.onLink(driver.isLinkUp(), now);
        }
    }

    private void trackGap(long now) {
        long gap = now - lastCycleNs;
        lastCycleNs = now;
        if (gap > largestGapNs && gap != now) {
            largestGapNs = gap;
        }
        if (gap > engine.pauseNs()) {
            engine.onResume(gap, now);
        }
    }

    private int drainCommands(long now) {
        HandleRing commands = share.commands();
        int count = 0;
        while (count < MAX_COMMANDS_PER_CYCLE && commands.peek()) {
            execute(commands, now);
            commands.advance();
            count++;
        }
        return count;
    }

    private void execute(HandleRing commands, long now) {
        long handle = commands.get(1);
        long firstPacket = commands.get(4);
        int length = (int) commands.get(5);
        switch ((int) commands.get(0)) {
            case Command.SEND_REQUEST ->
                sendRequest(handle, commands.get(6), commands.get(2), (int) commands.get(3), firstPacket, length, now);
            case Command.SEND_RESPONSE -> {
                if (engine.sendResponse(handle, firstPacket, length, now) < 0) {
                    engine.release(firstPacket);
                }
            }
            case Command.CANCEL -> {
                PolledEndpoint endpoint = (PolledEndpoint) router.endpoint((int) (handle >>> 32));
                engine.cancel(endpoint.rpc((int) handle), true, now);
            }
            default -> engine.release(firstPacket);
        }
    }

    private void sendRequest(
            long cookie, long hostHigh, long hostLow, int ports, long firstPacket, int length, long now) {
        PolledEndpoint endpoint = (PolledEndpoint) router.endpoint((int) (cookie >>> 32));
        long rpc =
                engine.sendRequest(hostHigh, hostLow, ports & 0xFFFF, ports >>> 16, firstPacket, length, cookie, now);
        if (rpc < 0) {
            engine.release(firstPacket);
            endpoint.onFailure((int) cookie, RpcError.REFUSED);
        } else {
            endpoint.rpc((int) cookie, rpc);
        }
    }

    private int runTasks() {
        int count = 0;
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
            count++;
        }
        return count;
    }

    private int runInline(long now) {
        int work = 0;
        for (int i = 0; i < inlineEndpoints.size(); i++) {
            work += inlineEndpoints.get(i).onCycle(now);
        }
        return work;
    }

    private int transmit(long now) {
        int sent = 0;
        for (int burst = 0; burst < MAX_BURSTS_PER_CYCLE; burst++) {
            if (unsentCount == 0 && fill(now) == 0) {
                break;
            }
            int taken = driver.transmit(unsentFrom, unsentCount);
            sent += taken;
            unsentFrom += taken;
            unsentCount -= taken;
            if (unsentCount > 0) {
                break;
            }
        }
        return sent;
    }

    private int fill(long now) {
        unsentFrom = 0;
        int count = 0;
        while (count < PortDriver.BURST) {
            long packet = network.nextFrame(now);
            if (packet == 0) {
                break;
            }
            long frame = driver.detach(packet);
            if (frame == 0) {
                continue;
            }
            frames[count] = frame;
            driver.put(count++, frame);
        }
        unsentCount = count;
        return count;
    }

    /// Runs `task` on this thread, soon.
    void submit(Runnable task) {
        tasks.add(task);
    }

    /// Adds an application that is called every cycle. Engine thread.
    void addInline(InlineEndpoint endpoint) {
        inlineEndpoints.add(endpoint);
    }

    long nowNs() {
        return nowNs;
    }

    /// Returns the longest time between two cycles since the last call, in nanoseconds. Any thread.
    long takeLargestGapNs() {
        long gap = largestGapNs;
        largestGapNs = 0;
        return gap;
    }

    /// What the device still holds would be missing from the pool.
    private void discardReceived() {
        for (int received = driver.receive(); received > 0; received = driver.receive()) {
            for (int i = 0; i < received; i++) {
                pool.release(driver.packet(i));
            }
        }
    }

    /// Ends every RPC; commands that are still in the ring only give their packets back.
    @Override
    public void onClose() {
        HandleRing commands = share.commands();
        while (commands.peek()) {
            execute(commands, nowNs);
            commands.advance();
        }
        runTasks();
        engine.close(nowNs);
        network.close();
        for (int i = unsentFrom; i < unsentFrom + unsentCount; i++) {
            pool.release(frames[i]);
        }
        discardReceived();
        ThreadAffinity.unregisterThread();
    }
}
