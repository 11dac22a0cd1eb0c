/// Many hosts in one process and virtual time, each with the production engine: clock and events, hosts, a
/// network with
/// faults, and the checks of what must hold whatever the network does.
@NullMarked
package io.homa.fabric.faults;

import org.jspecify.annotations.NullMarked;
