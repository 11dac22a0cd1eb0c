package io.homa.memory;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Marks a method (or every method of a type) that runs per packet, per burst or per timer step.
///
/// Such code creates no object or array, boxes nothing, builds no string, captures no lambda, takes no lock, logs
/// nothing and throws nothing in normal operation. A test reads the class files and fails on any of these.
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.CONSTRUCTOR})
public @interface HotPath {}
