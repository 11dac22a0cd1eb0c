/// Replays conversations that two Linux hosts had against this engine, in the role of each of them, and compares.
@NullMarked
package io.homa.replay;

import org.jspecify.annotations.NullMarked;
