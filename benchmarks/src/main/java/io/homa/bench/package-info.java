/// Comparison with the floor and with other transports in one run (`./homa bench`), and measurements of parts of the
/// stack by themselves. What counts are ratios of things measured in one run, because the machine's speed changes
/// between runs.
///
/// Entry type: [io.homa.bench.BenchCommand]. Suites are lists of cases ([io.homa.bench.Suites]); a contender is a
/// transport in two processes ([io.homa.bench.Contender]); [io.homa.bench.SuiteRunner] lets contenders take turns.
@NullMarked
package io.homa.bench;

import org.jspecify.annotations.NullMarked;
