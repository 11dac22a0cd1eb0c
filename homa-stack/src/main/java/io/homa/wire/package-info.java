/// Codecs of the headers on the wire: static accessors over an address. Big-endian, stateless, no ownership, any
/// thread.
@NullMarked
package io.homa.wire;

import org.jspecify.annotations.NullMarked;
