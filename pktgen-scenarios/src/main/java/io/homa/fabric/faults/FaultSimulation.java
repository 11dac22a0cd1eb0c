package io.homa.fabric.faults;

import io.homa.engine.Counter;
import io.homa.engine.EngineConfig;
import io.homa.engine.EngineDump;
import io.homa.engine.EngineLimits;
import io.homa.fabric.EventQueue;
import io.homa.memory.Packet;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// One run: hosts exchange RPCs over a faulty network until each has ended, and everything that must hold is checked
/// (docs/architecture.md, Simulation). The seed decides everything, so that a run can be repeated exactly. One thread.
public final class FaultSimulation implements AutoCloseable {
    private static final int ARRIVAL = 0;
    private static final int WAKE = 1;
    private static final int DISRUPT = 2;
    private static final int HEAL = 3;

    private static final long SECOND_NS = 1_000_000_000;
    /// Time without any end of an RPC, or of the rest of the state after the last, that no legal course takes.
    private static final long PATIENCE_NS = 20 * SECOND_NS;

    /// Events in a row without an arriving packet that mean that hosts only keep themselves busy.
    private static final int IDLE_EVENTS = 1_000_000;

    private static final long START_NS = SECOND_NS;
    private static final int QUEUE_OF_PAUSED_HOST = 1_024;
    private static final int DATA_ROOM = 1_536;

    private final long seed;
    private final FaultPlan plan;
    private final SplittableRandom random;
    private final EventQueue events = new EventQueue();
    private final long[] faults = new long[Fault.values().length];
    private final FaultyNetwork network;
    private final RpcLedger ledger;
    private final GrantWatch grants;
    private final SimulatedHost[] hosts;
    private final SimulatedApplication[] applications;

    private long nowNs = START_NS;
    private long lastProgressNs = START_NS;
    private int lastEnded;
    private long packets;
    private int idleEvents;

    /// Prepares the run of `seed` with `rpcs` RPCs.
    ///
    /// @param trace told the time and a line of text for each packet; null for none
    public FaultSimulation(long seed, int rpcs, @Nullable BiConsumer<Long, String> trace) {
        this.seed = seed;
        plan = FaultPlan.of(seed);
        random = new SplittableRandom(seed);
        network = new FaultyNetwork(plan, random.split(), events, ARRIVAL, DATA_ROOM, faults, trace);
        ledger = new RpcLedger(rpcs);
        hosts = new SimulatedHost[plan.hosts()];
        applications = new SimulatedApplication[plan.hosts()];
        int reserve = Math.min(plan.poolPackets() / 8, 256);
        EngineConfig config = EngineConfig.DEFAULT
                .withLinkBitsPerSecond(random.nextBoolean() ? 0 : 25_000_000_000L)
                .withLimits(new EngineLimits(512, 64, 1_024, tombstones(rpcs), reserve))
                .withSeed(seed);
        grants = new GrantWatch(config);
        for (int i = 0; i < hosts.length; i++) {
            applications[i] = new SimulatedApplication(plan, ledger, random.split());
            int drift = plan.drift() == 0 ? 0 : random.nextInt(-plan.drift(), plan.drift() + 1);
            HostClock clock = new HostClock(random.nextLong(SECOND_NS), drift);
            hosts[i] = new SimulatedHost(
                    i, config.withFeatures(plan.features(i)), plan.poolPackets(), DATA_ROOM, clock, applications[i]);
            applications[i].start(hosts[i]);
        }
    }

    /// As many as there can be finished RPCs: forgetting one for want of room would allow a second execution.
    private static int tombstones(int rpcs) {
        return Math.max(64, Math.min(rpcs, 1 << 20));
    }

    /// Runs to the end.
    public SimulationOutcome run() {
        String violation = null;
        try {
            for (SimulatedHost host : hosts) {
                events.add(nowNs, WAKE, host.index, 0);
                host.wakeNs = nowNs;
            }
            scheduleDisruption();
            while (!isOver()) {
                step();
            }
            checkEnd();
        } catch (AssertionError | RuntimeException e) {
            violation = "at " + (nowNs - START_NS) / 1_000 + " µs: " + (e instanceof Violation ? "" : e + ": ")
                    + e.getMessage() + where(e);
        }
        return new SimulationOutcome(
                seed,
                hosts.length,
                ledger.ended(),
                ledger.failed(),
                packets,
                nowNs - START_NS,
                faults.clone(),
                violation);
    }

    private static String where(Throwable e) {
        StackTraceElement[] stack = e.getStackTrace();
        return e instanceof Violation || stack.length == 0 ? "" : " (" + stack[0] + ")";
    }

    private boolean isOver() {
        if (!ledger.isFull() || ledger.ended() < ledger.sent() || !network.isEmpty()) {
            return false;
        }
        for (int i = 0; i < hosts.length; i++) {
            if (hosts[i].engine().rpcCount() > 0 || !applications[i].isIdle()) {
                return false;
            }
        }
        return true;
    }

    private void step() {
        if (events.isEmpty()) {
            throw new Violation("nothing will ever happen again" + dump());
        }
        nowNs = events.firstTime();
        int kind = events.firstKind();
        int target = events.firstTarget();
        long value = events.firstValue();
        events.removeFirst();
        switch (kind) {
            case ARRIVAL -> {
                idleEvents = 0;
                onArrival(hosts[target], value);
            }
            case WAKE -> onWake(hosts[target]);
            case DISRUPT -> disrupt();
            default -> network.heal();
        }
        watchProgress();
    }

    private void watchProgress() {
        if (++idleEvents > IDLE_EVENTS) {
            throw new Violation("hosts wake up again and again for nothing" + dump());
        }
        if (ledger.ended() != lastEnded) {
            lastEnded = ledger.ended();
            lastProgressNs = nowNs;
        } else if (nowNs - lastProgressNs > PATIENCE_NS) {
            throw new Violation("no progress for " + PATIENCE_NS / SECOND_NS + " s; RPC " + ledger.firstOpen()
                    + " is open" + dump());
        }
    }

    private void onArrival(SimulatedHost host, long first) {
        if (host.pausedUntilNs > nowNs) {
            if (host.backlog < QUEUE_OF_PAUSED_HOST) {
                host.backlog++;
                events.add(host.pausedUntilNs, ARRIVAL, host.index, first);
            } else {
                count(Fault.OVERRUN);
                network.release(first);
            }
            return;
        }
        applications[host.index].timeNs(nowNs);
        receive(host, first);
        while (!events.isEmpty()
                && events.firstTime() == nowNs
                && events.firstKind() == ARRIVAL
                && events.firstTarget() == host.index) {
            long next = events.firstValue();
            events.removeFirst();
            receive(host, next);
        }
        host.backlog = 0;
        cycle(host);
    }

    private void receive(SimulatedHost host, long wirePacket) {
        packets++;
        grants.onDelivery(host.index, wirePacket);
        if (!host.receive(wirePacket, Packet.peer(wirePacket), nowNs)) {
            count(Fault.NO_BUFFER);
        }
        network.release(wirePacket);
    }

    private void onWake(SimulatedHost host) {
        if (host.wakeNs != nowNs) {
            return;
        }
        if (host.pausedUntilNs > nowNs) {
            wakeAt(host, host.pausedUntilNs);
            return;
        }
        applications[host.index].timeNs(nowNs);
        cycle(host);
    }

    /// What a polling core does in each cycle, behind receiving.
    private void cycle(SimulatedHost host) {
        long localNs = host.clock.localNs(nowNs);
        host.engine().onBurstEnd(localNs);
        applications[host.index].run();
        if (host.engine().nextDeadlineNs() <= localNs) {
            host.engine().onTick(localNs);
        }
        for (long packet = host.engine().nextTransmit(localNs);
                packet != 0;
                packet = host.engine().nextTransmit(localNs)) {
            grants.onTransmit(host.index, packet);
            int to =
                    SimulatedHost.hostOf(host.engine().peer(Packet.peer(packet)).addressLow());
            network.send(host.index, to, packet, nowNs);
            host.pool.release(packet);
        }
        long nextLocalNs =
                Math.min(host.engine().nextDeadlineNs(), host.engine().nextTransmitNs());
        wakeAt(host, Math.min(host.clock.timeNs(nextLocalNs), applications[host.index].nextNs()));
    }

    private void wakeAt(SimulatedHost host, long atNs) {
        boolean isPending = host.wakeNs > nowNs && host.wakeNs <= atNs;
        if (isPending || atNs == Long.MAX_VALUE) {
            return;
        }
        host.wakeNs = Math.max(atNs, nowNs + 1);
        events.add(host.wakeNs, WAKE, host.index, 0);
    }

    private void count(Fault fault) {
        faults[fault.ordinal()]++;
    }

    private void scheduleDisruption() {
        int perSecond = plan.partitionsPerSecond() + plan.pausesPerSecond() + plan.restartsPerSecond();
        if (perSecond > 0 && ledger.ended() < ledger.sent() + (ledger.isFull() ? 0 : 1)) {
            events.add(nowNs + 1 + random.nextLong(2 * SECOND_NS / perSecond), DISRUPT, 0, 0);
        }
    }

    private void disrupt() {
        int kind = random.nextInt(plan.partitionsPerSecond() + plan.pausesPerSecond() + plan.restartsPerSecond());
        long lengthNs = 1 + random.nextLong(plan.longestPauseNs());
        SimulatedHost host = hosts[random.nextInt(hosts.length)];
        if (kind < plan.partitionsPerSecond()) {
            network.partition();
            events.add(nowNs + lengthNs, HEAL, 0, 0);
        } else if (kind < plan.partitionsPerSecond() + plan.pausesPerSecond()) {
            pause(host, lengthNs);
        } else {
            restart(host);
        }
        scheduleDisruption();
    }

    private void pause(SimulatedHost host, long lengthNs) {
        if (host.pausedUntilNs > nowNs) {
            return;
        }
        count(Fault.PAUSE);
        host.pausedUntilNs = nowNs + lengthNs;
        long localEndNs = host.clock.localNs(host.pausedUntilNs);
        if (lengthNs > host.engine().pauseNs()) {
            host.engine().onResume(lengthNs, localEndNs);
        }
        wakeAt(host, host.pausedUntilNs);
    }

    private void restart(SimulatedHost host) {
        count(Fault.RESTART);
        applications[host.index].timeNs(nowNs);
        grants.onRestart(host.index);
        applications[host.index].onRestart();
        host.restart(nowNs);
        if (host.pool.available() != host.pool.capacity()) {
            throw new Violation("host " + host.index + " lost " + (host.pool.capacity() - host.pool.available())
                    + " packets when it was closed");
        }
        cycle(host);
    }

    private void checkEnd() {
        long unacknowledged = 0;
        for (SimulatedHost host : hosts) {
            unacknowledged += host.count(Counter.RESPONSES_UNACKNOWLEDGED);
            if (host.pool.available() != host.pool.capacity()) {
                throw new Violation("host " + host.index + " kept " + (host.pool.capacity() - host.pool.available())
                        + " packets although no RPC is left");
            }
            List<String> leftovers = EngineDump.leftovers(host.engine());
            if (!leftovers.isEmpty()) {
                throw new Violation("host " + host.index + " has no RPC left, but " + leftovers);
            }
            host.engine().close(host.clock.localNs(nowNs));
            if (host.pool.available() != host.pool.capacity()) {
                throw new Violation("host " + host.index + " gave back too few or too many packets");
            }
        }
        boolean isGentle = !plan.allowsFailures() && plan.drop() + plan.corrupt() < 20_000 && plan.garbage() == 0;
        if (isGentle && unacknowledged > 0) {
            throw new Violation(unacknowledged + " responses were never acknowledged");
        }
    }

    private String dump() {
        List<String> lines = new ArrayList<>();
        for (SimulatedHost host : hosts) {
            long localNs = host.clock.localNs(nowNs);
            lines.add("  host " + host.index + ": next deadline in "
                    + (host.engine().nextDeadlineNs() - localNs) + " ns, next packet in "
                    + (host.engine().nextTransmitNs() - localNs) + " ns");
            for (String line : EngineDump.rpcs(host.engine(), localNs, 8)) {
                lines.add("  host " + host.index + ": " + line);
            }
        }
        return "\n" + String.join("\n", lines);
    }

    @Override
    public void close() {
        for (SimulatedHost host : hosts) {
            host.close();
        }
        network.close();
    }
}
