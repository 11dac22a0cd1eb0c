/// Programs that measure parts of the stack by themselves: no device, no network, one process. What they print are
/// ratios of things measured in one run, because the machine's speed changes between runs.
@NullMarked
package io.homa.bench;

import org.jspecify.annotations.NullMarked;
