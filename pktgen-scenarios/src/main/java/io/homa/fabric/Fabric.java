package io.homa.fabric;

import io.homa.memory.HotPath;
import java.util.SplittableRandom;

/// A network of simulated hosts in virtual time, which is counted in picoseconds: links with rate and delay,
/// store-and-forward switches with priorities, and on every host a transport, as a rule the production engine. The
/// seed decides everything. One thread; several fabrics can run at the same time on threads of their own.
///
/// A host's transport is asked for its next packet when the host's link is free, so that it decides at the last
/// moment.
public final class Fabric implements AutoCloseable {
    private static final int NONE = -1;
    private static final int TIMER = 0;
    private static final int HOST_FREE = 1;
    private static final int PORT_FREE = 2;
    private static final int WAKE = 3;
    private static final int LATE = 4;
    private static final long LONGEST_HOLD_PS = 20_000_000;

    /// Packets of all hosts together: 448 bytes each when in use.
    private static final int MOST_PACKETS = 1 << 25;

    private static final long PS_PER_NS = 1_000;

    private final Topology topology;
    private final boolean isSpraying;
    private final FaultRates faults;
    private final SplittableRandom random;
    private final EventQueue events = new EventQueue();
    private final DelayLine toTopOfRack;
    private final DelayLine toSwitch;
    private final DelayLine toHost;
    private final SwitchPorts ports;
    private final HeaderPool pool = new HeaderPool(MOST_PACKETS);
    private final MessageTable messages = new MessageTable();
    private final Application application;
    private final Transport[] hosts;
    private final long[] leaving;
    private final long[] wakePs;
    private final long hostPsPerByte;

    /// Host whose transport is being called, and will be asked for packets afterwards.
    private int receiving = NONE;

    private long nowPs;
    private long eventCount;
    private long packetCount;
    private long dropped;
    private long reordered;
    private long duplicated;

    /// Makes a network; `setup` says what runs on the hosts.
    public Fabric(FabricConfig config, TransportSetup setup, Application application) {
        topology = config.topology();
        isSpraying = config.spray();
        faults = config.faults();
        random = new SplittableRandom(config.seed());
        ports = new SwitchPorts(topology, config.bufferBytes(), config.markBytes());
        HostDelays delays = config.delays();
        long linkPs = topology.propagationPs();
        toTopOfRack = new DelayLine(events, delays.sendPs() + delays.nicPs() + linkPs + topology.switchDelayPs());
        toSwitch = new DelayLine(events, linkPs + topology.switchDelayPs());
        toHost = new DelayLine(events, linkPs + delays.receivePs());
        hostPsPerByte = topology.hostPsPerByte();
        this.application = application;
        hosts = new Transport[topology.hosts()];
        leaving = new long[hosts.length];
        wakePs = new long[hosts.length];
        for (int i = 0; i < hosts.length; i++) {
            wakePs[i] = Long.MAX_VALUE;
        }
        setup.build(this, hosts);
    }

    HeaderPool pool() {
        return pool;
    }

    /// Returns the messages on their way.
    public MessageTable messages() {
        return messages;
    }

    public Topology topology() {
        return topology;
    }

    public long nowPs() {
        return nowPs;
    }

    long nowNs() {
        return nowPs / PS_PER_NS;
    }

    /// Returns how many events have happened.
    public long events() {
        return eventCount;
    }

    /// Returns how many packets have left hosts.
    public long packets() {
        return packetCount;
    }

    /// Makes [Application#onTimer] happen at `timePs`.
    @HotPath
    public void at(long timePs, int host, long value) {
        events.add(timePs, TIMER, host, value);
    }

    /// Gives a message to the transport of host `from`.
    ///
    /// @param answerBytes length of the answer that the receiver gives at once, 0 for none
    /// @param note what the application wants to find again
    @HotPath
    public void send(int from, int to, int bytes, int answerBytes, int note) {
        int message = messages.open(from, to, bytes, answerBytes, note, nowPs);
        hosts[from].send(message, nowNs());
        if (from != receiving) {
            pump(from);
        }
    }

    /// A message has arrived whole.
    @HotPath
    void arrived(int message) {
        application.onMessage(messages.to(message), message);
        if (messages.answerLength(message) == 0) {
            hosts[messages.from(message)].delivered(message, nowNs());
            messages.close(message);
        }
    }

    /// The answer to a message has arrived whole.
    @HotPath
    void answered(int message) {
        application.onAnswer(messages.from(message), message);
        messages.close(message);
    }

    void failed(int message) {
        application.onFailure(messages.from(message), message);
        messages.close(message);
    }

    /// Lets time pass until `endPs`, or until nothing is left to happen.
    @HotPath
    public void run(long endPs) {
        while (true) {
            long queueTime = events.isEmpty() ? Long.MAX_VALUE : events.firstTime();
            DelayLine line = firstLine();
            long lineTime = line.firstTime();
            boolean isQueue = queueTime < lineTime
                    || (queueTime == lineTime && queueTime != Long.MAX_VALUE && queueIsFirst(line));
            long time = isQueue ? queueTime : lineTime;
            if (time > endPs || time == Long.MAX_VALUE) {
                nowPs = endPs == Long.MAX_VALUE ? nowPs : endPs;
                return;
            }
            nowPs = time;
            eventCount++;
            if (isQueue) {
                onEvent();
            } else {
                onArrival(line);
            }
        }
    }

    private DelayLine firstLine() {
        return earlier(earlier(toTopOfRack, toSwitch), toHost);
    }

    @HotPath
    private static DelayLine earlier(DelayLine a, DelayLine b) {
        long left = a.firstTime();
        long right = b.firstTime();
        boolean isLeft = left < right || (left == right && left != DelayLine.NEVER && a.firstOrder() < b.firstOrder());
        return isLeft ? a : b;
    }

    @HotPath
    private boolean queueIsFirst(DelayLine line) {
        return events.firstOrder() < line.firstOrder();
    }

    @HotPath
    private void onEvent() {
        int kind = events.firstKind();
        int target = events.firstTarget();
        long value = events.firstValue();
        events.removeFirst();
        switch (kind) {
            case TIMER -> application.onTimer(target, value);
            case HOST_FREE -> onHostFree(target);
            case PORT_FREE -> onPortFree(target);
            case LATE -> toTopOfRack.add(nowPs, target, value);
            default -> onWake(target);
        }
    }

    @HotPath
    private void onArrival(DelayLine line) {
        int target = line.firstTarget();
        long packet = line.firstValue();
        line.removeFirst();
        if (line == toHost) {
            long nowNs = nowNs();
            receiving = target;
            hosts[target].receive(packet, nowNs);
            receiving = NONE;
            pump(target);
        } else {
            enqueue(target, packet);
        }
    }

    @HotPath
    private void enqueue(int port, long packet) {
        if (!ports.offer(port, packet)) {
            pool.release(packet);
        } else if (ports.isIdle(port)) {
            startPort(port);
        }
    }

    @HotPath
    private void startPort(int port) {
        long takesPs = ports.start(port);
        if (takesPs != 0) {
            events.add(nowPs + takesPs, PORT_FREE, port, 0);
        }
    }

    @HotPath
    private void onPortFree(int port) {
        long packet = ports.finish(port);
        int to = FabricPacket.to(packet);
        switch (topology.level(port)) {
            case TO_HOST -> toHost.add(nowPs, to, packet);
            case TO_SPINE -> toSwitch.add(nowPs, topology.afterUplink(port, to), packet);
            case TO_RACK -> toSwitch.add(nowPs, to, packet);
        }
        startPort(port);
    }

    @HotPath
    private void onHostFree(int host) {
        long packet = leaving[host];
        leaving[host] = 0;
        int port = firstPort(host, FabricPacket.to(packet));
        if (faults.isNone()) {
            toTopOfRack.add(nowPs, port, packet);
        } else {
            addFaultily(port, packet);
        }
        pump(host);
    }

    private void addFaultily(int port, long packet) {
        if (random.nextDouble() < faults.drop()) {
            dropped++;
            pool.release(packet);
            return;
        }
        if (random.nextDouble() < faults.duplicate()) {
            long copy = pool.allocate();
            if (copy != 0) {
                duplicated++;
                FabricPacket.copy(packet, copy);
                toTopOfRack.add(nowPs, port, copy);
            }
        }
        if (random.nextDouble() < faults.reorder()) {
            reordered++;
            events.add(nowPs + 1 + random.nextLong(LONGEST_HOLD_PS), LATE, port, packet);
        } else {
            toTopOfRack.add(nowPs, port, packet);
        }
    }

    @HotPath
    private int firstPort(int from, int to) {
        int rack = topology.rackOf(from);
        if (rack == topology.rackOf(to)) {
            return to;
        }
        int spines = topology.spines();
        int spine = isSpraying ? random.nextInt(spines) : (int) ((from * 31L + to) * 0x9E37_79B9L >>> 16) % spines;
        return topology.uplink(rack, spine);
    }

    @HotPath
    private void onWake(int host) {
        if (wakePs[host] != nowPs) {
            return;
        }
        wakePs[host] = Long.MAX_VALUE;
        hosts[host].onTick(nowNs());
        pump(host);
    }

    /// Sends what the host may send, and sees to it that it is called when it wants to be.
    @HotPath
    private void pump(int host) {
        Transport transport = hosts[host];
        if (leaving[host] == 0) {
            long packet = transport.transmit(nowNs());
            if (packet != 0) {
                packetCount++;
                leaving[host] = packet;
                events.add(nowPs + FabricPacket.wireBytes(packet) * hostPsPerByte, HOST_FREE, host, 0);
            }
        }
        long deadlineNs = transport.nextDeadlineNs();
        if (leaving[host] == 0) {
            deadlineNs = Math.min(deadlineNs, transport.nextTransmitNs());
        }
        if (deadlineNs < Long.MAX_VALUE / PS_PER_NS) {
            wakeAt(host, Math.max(deadlineNs * PS_PER_NS, nowPs + PS_PER_NS));
        }
    }

    @HotPath
    private void wakeAt(int host, long timePs) {
        if (wakePs[host] > timePs) {
            wakePs[host] = timePs;
            events.add(timePs, WAKE, host, 0);
        }
    }

    /// Returns what happened to packets by chance, since the start.
    public FaultCounts faults() {
        return new FaultCounts(dropped, reordered, duplicated);
    }

    /// Starts the counts of queues, drops and marks over.
    public void resetStatistics() {
        ports.resetStatistics();
    }

    /// Returns what the switches counted since the start or the last reset.
    public SwitchStatistics statistics() {
        return SwitchStatistics.of(ports);
    }

    /// Returns the bytes that have left the switches towards hosts, with everything that takes time on a link.
    public long deliveredWireBytes() {
        long bytes = 0;
        for (int host = 0; host < hosts.length; host++) {
            bytes += ports.transmittedBytes(host);
        }
        return bytes;
    }

    /// Returns the bytes that wait at the port to a host.
    public int queuedBytes(int host) {
        return ports.queuedBytes(host);
    }

    @Override
    public void close() {
        for (Transport host : hosts) {
            host.close(nowNs());
        }
        pool.close();
    }
}
