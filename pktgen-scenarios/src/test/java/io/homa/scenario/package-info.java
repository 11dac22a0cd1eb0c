@NullMarked
package io.homa.scenario;

import org.jspecify.annotations.NullMarked;
