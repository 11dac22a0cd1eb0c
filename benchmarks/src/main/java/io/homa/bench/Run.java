package io.homa.bench;

import io.homa.bench.load.LoadResult;

/// One measurement of a contender.
///
/// @param result what the client found
/// @param serverAllocatedBytes heap that the server's process allocated meanwhile, warming up included
/// @param compilationMs time that the compilers of both JVMs worked meanwhile
record Run(LoadResult result, long serverAllocatedBytes, long compilationMs) {}
