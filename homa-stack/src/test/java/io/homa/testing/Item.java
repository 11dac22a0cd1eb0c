package io.homa.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Names the items of the protocol's conformance checklist that a test proves; `docs/conformance.md` lists them.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Item {
    int[] value();

    /// Why our behaviour differs from the kernel's on purpose; empty if it does not.
    String deviates() default "";
}
