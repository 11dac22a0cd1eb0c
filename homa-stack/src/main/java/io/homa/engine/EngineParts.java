package io.homa.engine;

import io.homa.memory.PacketPool;

/// The parts of one engine, made in the order in which they need each other. Engine thread only.
final class EngineParts {
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

    EngineParts(EngineConfig config, PacketPool pool, EngineEvents events, Counters counters) {
        this.config = config;
        this.pool = pool;
        this.events = events;
        this.counters = counters;
        EngineLimits limits = config.limits();
        rpcs = new RpcTable(limits.maxRpcs());
        peers = new PeerTable(limits.maxPeers());
        gaps = new GapPool(limits.maxGaps());
        timers = new TimerWheel(limits.maxRpcs());
        tombstones = new Tombstones(limits.maxTombstones(), config.timers().timeoutNs() * 5);
        cutoffs = new PriorityCutoffs(config.priorities());
        paper = new PaperRules(config, cutoffs);
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
}
