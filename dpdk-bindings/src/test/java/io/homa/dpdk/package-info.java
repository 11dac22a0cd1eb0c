/// Tests of the bindings against real DPDK, on devices that need neither hardware nor privileges.
@NullMarked
package io.homa.dpdk;

import org.jspecify.annotations.NullMarked;
