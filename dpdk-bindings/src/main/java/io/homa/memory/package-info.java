/// Off-heap memory by address, packets as addresses, and the pools that own them.
///
/// Entry types: [io.homa.memory.Memory] (reads and writes), [io.homa.memory.Packet] (fields of a packet) and
/// [io.homa.memory.PacketPool] (ownership). Nothing here knows DPDK or Homa; everything is used by one thread at a
/// time.
@NullMarked
package io.homa.memory;

import org.jspecify.annotations.NullMarked;
