package io.homa.bench;

import io.homa.bench.load.Load;

/// One thing to measure of each contender of a suite.
///
/// @param name unique in its suite
/// @param mtu bytes of an IP packet
/// @param load what the client does
record Case(String name, int mtu, Load load) {}
