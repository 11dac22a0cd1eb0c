/// Load and its results: published workloads, verified payloads, open and closed loops on the real transport, the
/// same exchange over kernel TCP, and the JSON and HTML that come out.
///
/// Entry types: [io.homa.scenario.Workload] (sizes), [io.homa.scenario.ClosedLoopLoad] (traffic),
/// [io.homa.scenario.RunResult] (what was measured). Loads run on the engine's thread; everything else belongs to
/// one thread at a time.
@NullMarked
package io.homa.scenario;

import org.jspecify.annotations.NullMarked;
