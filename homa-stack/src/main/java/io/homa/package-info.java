/// The Homa transport for applications: open it, send requests, answer them.
///
/// Entry type: [io.homa.HomaTransport]. One thread, pinned if asked for, runs the protocol; applications talk to
/// it in three ways, from fastest to most convenient: *inline* (a handler on that thread), *polled*
/// ([io.homa.HomaClient], [io.homa.HomaServer]; one thread each, no allocation), and *blocking or by future*
/// ([io.homa.HomaAsyncClient]; any thread).
@NullMarked
package io.homa;

import org.jspecify.annotations.NullMarked;
