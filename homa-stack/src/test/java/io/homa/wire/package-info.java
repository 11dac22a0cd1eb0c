/// Tests of the codecs against golden bytes and captures of the Linux kernel module.
@NullMarked
package io.homa.wire;

import org.jspecify.annotations.NullMarked;
