/// DPDK from Java: the environment, devices, ports, queues and mbuf pools, through the foreign function interface.
///
/// Entry types: [io.homa.dpdk.Eal] (once per process), [io.homa.dpdk.Port] (one device), [io.homa.dpdk.QueuePair]
/// (bursts) and [io.homa.dpdk.MbufPool]. Control calls may come from any thread, one at a time; a queue and its
/// pool belong to the thread that polls it.
@NullMarked
package io.homa.dpdk;

import org.jspecify.annotations.NullMarked;
