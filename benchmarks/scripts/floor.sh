#!/bin/sh
# Compares round trips of `homa ping` with those of raw-ping, a C program without a protocol, on the same virtio/vhost
# device and the same two CPUs. They run alternately, because the distance between two virtual CPUs changes while
# tests run; only the ratio means something.
#
#   benchmarks/scripts/floor.sh [--rounds N] [--size BYTES] [--count N] [--cores A,B] [--json FILE]
set -eu

ROOT=$(cd "$(dirname "$0")/../.." && pwd)
RAW=$ROOT/native/target/build/raw-ping
ROUNDS=5 SIZE=100 COUNT=100000 CORES=0,1 JSON=

usage() {
    echo "floor.sh: $1; allowed are --rounds N, --size BYTES, --count N, --cores A,B and --json FILE" >&2
    exit 2
}

while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || usage "option $1 is unknown or has no value"
    case $1 in
        --rounds) ROUNDS=$2 ;;
        --size) SIZE=$2 ;;
        --count) COUNT=$2 ;;
        --cores) CORES=$2 ;;
        --json) JSON=$2 ;;
        *) usage "option $1 is unknown" ;;
    esac
    shift 2
done

"$ROOT/homa" --version >&2 # builds when needed
[ -x "$RAW" ] || { echo "floor.sh: $RAW is missing; run ./homa setup" >&2; exit 1; }

DIR=$(mktemp -d)
SERVER=
cleanup() {
    [ -z "$SERVER" ] || kill "$SERVER" 2>/dev/null || true
    rm -rf "$DIR"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

p50() { # the first median in a result
    sed -n 's/.*"p50" *: *\([0-9]*\).*/\1/p' "$1" | head -1
}

raw() { # prints the median of one run in nanoseconds
    "$RAW" --role server --device "vhost:$DIR/raw.sock" --core "${CORES#*,}" >&2 &
    SERVER=$!
    "$RAW" --role client --device "virtio:$DIR/raw.sock" --core "${CORES%,*}" --size "$SIZE" --count "$COUNT" \
        --json "$DIR/raw.json" >"$DIR/raw.log" 2>&1 || { cat "$DIR/raw.log" >&2; exit 1; }
    wait "$SERVER" || true
    SERVER=
    rm -f "$DIR/raw.sock"
    p50 "$DIR/raw.json"
}

homa() { # the same for this project
    "$ROOT/homa" server --device "vhost:$DIR/homa.sock" --core "${CORES#*,}" --idle spin >&2 &
    SERVER=$!
    "$ROOT/homa" ping --device "virtio:$DIR/homa.sock" --core "${CORES%,*}" --idle spin --size "$SIZE" --count "$COUNT" \
        --json "$DIR/homa.json" >"$DIR/homa.log" 2>&1 || { cat "$DIR/homa.log" >&2; exit 1; }
    kill "$SERVER" # SIGINT would be ignored: a shell without job control starts its children so
    wait "$SERVER" || true
    SERVER=
    rm -f "$DIR/homa.sock"
    p50 "$DIR/homa.json"
}

round=1
while [ "$round" -le "$ROUNDS" ]; do
    raw_ns=$(raw)
    homa_ns=$(homa)
    echo "$raw_ns $homa_ns" >>"$DIR/rounds"
    echo "round $round: raw-c $raw_ns ns, homa $homa_ns ns" >&2
    round=$((round + 1))
done

# The median of the rounds' ratios.
awk '{ printf "%.3f %d %d\n", $2 / $1, $1, $2 }' "$DIR/rounds" | sort -n >"$DIR/ratios"
MIDDLE=$(sed -n "$(((ROUNDS + 1) / 2))p" "$DIR/ratios")
# shellcheck disable=SC2086 # three words
set -- $MIDDLE
echo "$SIZE B round trip over virtio/vhost, p50: raw-c $2 ns, homa $3 ns, homa / raw-c $1 (median of $ROUNDS rounds)"
if [ -n "$JSON" ]; then
    printf '{"ratios": [{"metric": "rtt_ns", "of": "homa", "to": "raw-c", "size": %d, "p50": %s}]}\n' "$SIZE" "$1" >"$JSON"
fi
