/// The Homa protocol, sans-IO: packets, commands and time go in; packets, events and deadlines come out.
///
/// Entry type: [io.homa.engine.Engine]. Everything runs on one thread, the engine thread; there are no locks,
/// clocks, threads or files, and no randomness except a seeded generator, so equal inputs give equal outputs.
/// Rules and numbers come from the protocol reference of the Linux kernel module; a deviation says so where it is
/// made.
@NullMarked
package io.homa.engine;

import org.jspecify.annotations.NullMarked;
