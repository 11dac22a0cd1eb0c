#!/bin/sh
# Compares what a packet costs with 100,000 RPCs outstanding to 10,000 peers and with one RPC to one peer, and prints
# the heap that each place for an RPC or a peer takes. The engine alone: no device, no system call, one core.
#
#   benchmarks/scripts/scale.sh [ROUNDS [STEPS]]
#
# Heap and packets lie in huge pages where the kernel gives them, as the packets of DPDK do.
set -eu

ROOT=$(cd "$(dirname "$0")/../.." && pwd)
export HOMA_MAIN=io.homa.bench.ScaleBenchmark
export HOMA_JAVA_OPTS="-Xmx1g -XX:+UseTransparentHugePages ${HOMA_JAVA_OPTS-}"
export GLIBC_TUNABLES=glibc.malloc.hugetlb=1
exec "$ROOT/homa" "$@"
