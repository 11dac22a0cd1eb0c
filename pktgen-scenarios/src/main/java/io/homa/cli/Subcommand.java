package io.homa.cli;

import java.util.concurrent.Callable;

/// A subcommand of `homa` from a module above this one, found by [java.util.ServiceLoader]. The class carries
/// picocli's annotations.
public interface Subcommand extends Callable<Integer> {}
