/// Tests of the network layer: frames in, frames out, in virtual time.
@NullMarked
package io.homa.net;

import org.jspecify.annotations.NullMarked;
