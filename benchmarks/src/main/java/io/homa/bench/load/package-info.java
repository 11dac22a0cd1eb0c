/// What is asked of a transport under test and what came of it, without knowing any transport: a generator of
/// requests, the contents of messages, and what disturbed a polling thread.
///
/// Entry types: [io.homa.bench.load.Load] and [io.homa.bench.load.LoadGenerator].
@NullMarked
package io.homa.bench.load;

import org.jspecify.annotations.NullMarked;
