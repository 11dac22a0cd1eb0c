/// The rules of the house as code. Every module compiles this directory with its own tests and is checked by it.
@NullMarked
package io.homa.rules;

import org.jspecify.annotations.NullMarked;
