/// The transports that are compared, each as a client and a server in a process of its own.
///
/// Entry type: [io.homa.bench.peer.Peer]. Each side moves data on one thread, pinned to the side's CPU.
@NullMarked
package io.homa.bench.peer;

import org.jspecify.annotations.NullMarked;
