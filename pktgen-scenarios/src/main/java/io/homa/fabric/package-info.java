/// Simulated networks in virtual time, with the production engine on every host: begin with [io.homa.fabric.Fabric].
/// Deterministic by seed. Each object belongs to one thread.
@NullMarked
package io.homa.fabric;

import org.jspecify.annotations.NullMarked;
