/// Off-heap packets and DPDK from Java: memory by address, EAL, ports, queues and mbuf pools.
module io.homa.dpdk {
    requires static transitive org.jspecify;

    exports io.homa.memory;
    exports io.homa.dpdk;
}
