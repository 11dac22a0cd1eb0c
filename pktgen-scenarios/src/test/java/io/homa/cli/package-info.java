@NullMarked
package io.homa.cli;

import org.jspecify.annotations.NullMarked;
