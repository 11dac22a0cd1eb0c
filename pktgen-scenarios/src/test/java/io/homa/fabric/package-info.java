@NullMarked
package io.homa.fabric;

import org.jspecify.annotations.NullMarked;
