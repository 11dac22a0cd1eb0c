package io.homa.engine;

import io.homa.memory.HotPath;
import io.homa.memory.PacketPool;
import io.homa.wire.DataHeader;

/// The parts of one engine, made in the order in which they need each other. Engine thread only.
final class EngineParts {
    private static final long MAPPED_IPV4 = 0xFFFFL;
    private static final int IPV4_HEADER_BYTES = 20;
    private static final int IPV6_HEADER_BYTES = 40;

    final EngineConfig config;
    final PacketPool pool;
    final EngineEvents events;
    final Counters counters;

    final RpcTable rpcs;
    final PeerTable peers;
    final PortTable ports = new PortTable();
    final GapPool gaps;
    final TimerWheel timers;
    final Tombstones tombstones;
    final PriorityCutoffs cutoffs;
    final PaperRules paper;
    final AdaptiveCutoffs adaptive;
    final IncastControl incast;
    final UnscheduledLimits unscheduled;
    final Pacer pacer;
    final ControlPackets control;
    final ResendRequests requests;
    final ArrivalClock arrivals = new ArrivalClock();
    final EarlyRecovery early;
    final AckQueue acks;
    final GrantScheduler grants;
    final TransmitScheduler transmit;
    final RpcLifecycle lifecycle;
    final LossRecovery recovery;
    final MemoryGuard memory;

    private final Segmentation segmentationV4;
    private final Segmentation segmentationV6;

    EngineParts(EngineConfig config, PacketPool pool, EngineEvents events, Counters counters) {
        this.config = config;
        this.pool = pool;
        this.events = events;
        this.counters = counters;
        EngineLimits limits = config.limits();
        segmentationV4 = segmentation(config, IPV4_HEADER_BYTES);
        segmentationV6 = segmentation(config, IPV6_HEADER_BYTES);
        rpcs = new RpcTable(limits.maxRpcs());
        peers = new PeerTable(limits.maxPeers());
        gaps = new GapPool(limits.maxGaps());
        timers = new TimerWheel(limits.maxRpcs());
        tombstones = new Tombstones(limits.maxTombstones(), config.timers().timeoutNs() * 5);
        cutoffs = new PriorityCutoffs(config.priorities());
        paper = new PaperRules(config, cutoffs);
        adaptive = new AdaptiveCutoffs(config, cutoffs);
        incast = new IncastControl(config.features().incastControl(), rpcs);
        unscheduled = new UnscheduledLimits(this);
        pacer = new Pacer(config.linkBitsPerSecond());
        control = new ControlPackets(pool, counters, config.priorities());
        requests = new ResendRequests(gaps, control, config.priorities());
        early = new EarlyRecovery(this);
        acks = new AckQueue(control, peers, config);
        grants = new GrantScheduler(this);
        transmit =
                new TransmitScheduler(rpcs, pacer, config.features().earlyFirstPacket(), paper.transmitFifoPerMille());
        lifecycle = new RpcLifecycle(this);
        recovery = new LossRecovery(this);
        memory = new MemoryGuard(this);
    }

    private static Segmentation segmentation(EngineConfig config, int ipHeaderBytes) {
        return new Segmentation(config.mtu() - ipHeaderBytes - DataHeader.LENGTH, config.unscheduledBytes());
    }

    /// Returns how messages to this address are cut.
    @HotPath
    Segmentation segmentation(long high, long low) {
        return high == 0 && low >>> 32 == MAPPED_IPV4 ? segmentationV4 : segmentationV6;
    }
}
