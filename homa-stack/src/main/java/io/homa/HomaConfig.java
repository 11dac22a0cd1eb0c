package io.homa;

import io.homa.dpdk.DeviceSpec;
import io.homa.engine.EngineConfig;
import io.homa.engine.EngineFeatures;
import io.homa.engine.TimerConfig;
import io.homa.net.NetConfig;

/// Everything that a transport is opened with. Immutable; made by [#builder].
///
/// @param device device to use
/// @param net own addresses and neighbours
/// @param engine protocol tunables; its MTU is the stack's
/// @param cpu CPU to pin the polling thread to, or [#UNPINNED]
/// @param idle what the polling thread does without work
/// @param poolPackets packets for everything received, sent and kept, 1024…4194304
/// @param lossProbability share of received frames to lose on purpose, for tests; 0 in production
public record HomaConfig(
        DeviceSpec device,
        NetConfig net,
        EngineConfig engine,
        int cpu,
        IdleMode idle,
        int poolPackets,
        double lossProbability) {
    /// Value of [#cpu] that leaves the thread to the operating system.
    public static final int UNPINNED = -1;

    /// Packets that a pool has by default: two dozen messages of the largest size, and the device's queues.
    public static final int DEFAULT_POOL_PACKETS = 32_768;

    private static final int TIMEOUT_TICKS = 1_000;

    /// With back-off these last three seconds, longer than any client waits.
    private static final int NEED_ACK_LIMIT = 12;

    public HomaConfig {
        range("cpu", cpu, UNPINNED, 1_023);
        range("poolPackets", poolPackets, 1_024, 1 << 22);
        if (engine.limits().poolReserve() > poolPackets / 2) {
            throw new IllegalArgumentException(
                    "engine.limits.poolReserve is " + engine.limits().poolReserve()
                            + "; allowed is at most half of poolPackets, which is " + poolPackets);
        }
        if (!(lossProbability >= 0 && lossProbability < 1)) {
            throw new IllegalArgumentException("lossProbability is " + lossProbability + "; allowed are 0 to below 1");
        }
    }

    private static void range(String name, long value, long low, long high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(name + " is " + value + "; allowed are " + low + " to " + high);
        }
    }

    /// The engine's defaults for a process: devices in memory have no speed of their own, their queues push back,
    /// so pacing by a link model would only idle them; a polling thread on shared cores is stopped for longer
    /// than an interrupt handler of the kernel would be, so peers get a second and not a tenth of it; and every
    /// process gets ids of its own.
    private static EngineConfig defaultEngine() {
        TimerConfig kernel = TimerConfig.DEFAULT;
        TimerConfig timers = new TimerConfig(
                kernel.tickNs(),
                kernel.resendTicks(),
                kernel.resendIntervalTicks(),
                TIMEOUT_TICKS,
                kernel.needAckTicks(),
                NEED_ACK_LIMIT);
        long seed = System.nanoTime() ^ (ProcessHandle.current().pid() << 40);
        return EngineConfig.DEFAULT
                .withLinkBitsPerSecond(0)
                .withTimers(timers)
                .withFeatures(EngineFeatures.ALL)
                .withSeed(seed);
    }

    /// Starts a configuration with the two things that have no default: the device, such as
    /// `virtio:/tmp/homa.sock`, and this host's address with its prefix, such as `10.0.0.1/24`.
    public static Builder builder(String device, String address) {
        return new Builder(DeviceSpec.parse(device), NetConfig.of(address));
    }

    /// Collects settings; [#build] checks them.
    public static final class Builder {
        private final DeviceSpec device;
        private NetConfig net;
        private EngineConfig engine = defaultEngine();
        private int cpu = UNPINNED;
        private IdleMode idle = IdleMode.SPIN;
        private int poolPackets = DEFAULT_POOL_PACKETS;
        private double lossProbability;

        private Builder(DeviceSpec device, NetConfig net) {
            this.device = device;
            this.net = net;
        }

        /// Replaces own addresses and neighbours.
        public Builder net(NetConfig value) {
            net = value;
            return this;
        }

        /// Replaces the protocol tunables.
        public Builder engine(EngineConfig value) {
            engine = value;
            return this;
        }

        /// Sets the bytes of an IP packet, 576…9000, for device and protocol.
        public Builder mtu(int value) {
            engine = engine.withMtu(value);
            return this;
        }

        /// Sets the CPU of the polling thread.
        public Builder cpu(int value) {
            cpu = value;
            return this;
        }

        /// Sets what the polling thread does without work.
        public Builder idle(IdleMode value) {
            idle = value;
            return this;
        }

        /// Sets the size of the packet pool.
        public Builder poolPackets(int value) {
            poolPackets = value;
            return this;
        }

        /// Makes the transport lose a share of received frames, for tests.
        public Builder lossProbability(double value) {
            lossProbability = value;
            return this;
        }

        /// Checks and returns the configuration.
        public HomaConfig build() {
            return new HomaConfig(device, net, engine, cpu, idle, poolPackets, lossProbability);
        }
    }

    /// Returns the bytes of an IP packet.
    public int mtu() {
        return engine.mtu();
    }
}
