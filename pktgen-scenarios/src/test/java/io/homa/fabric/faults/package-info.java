@NullMarked
package io.homa.fabric.faults;

import org.jspecify.annotations.NullMarked;
