/// What several tests need: captures, off-heap scratch memory.
@NullMarked
package io.homa.testing;

import org.jspecify.annotations.NullMarked;
