/// Tests of the protocol engine in virtual time.
@NullMarked
package io.homa.engine;

import org.jspecify.annotations.NullMarked;
