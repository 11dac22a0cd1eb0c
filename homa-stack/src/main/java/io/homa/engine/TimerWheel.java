package io.homa.engine;

import io.homa.memory.HotPath;
import java.util.Arrays;

/// Deadlines of up to `capacity` entries in a wheel of two levels; only entries that are due, or that move from
/// the coarse level to the fine one, are touched.
///
/// The fine level holds 1024 steps of 1.024 µs, the coarse one 1024 laps of 1.05 ms; a deadline further away
/// waits in the last lap and is sorted in again. An entry is the slot of its RPC; each has at most one deadline.
/// Engine thread only.
@HotPath
final class TimerWheel {
    private static final int STEP_SHIFT = 10;
    private static final int LAP_SHIFT = 10;
    private static final int STEPS = 1 << LAP_SHIFT;
    private static final int MASK = STEPS - 1;
    private static final int NONE = -1;

    /// Deadline of an entry that is in no bucket.
    private static final long NOT_ARMED = Long.MIN_VALUE;

    /// Two words of each entry, side by side for the cache: the deadline, and the next and the previous entry
    /// of the
    /// same bucket. For the first of a bucket the latter is the complement of the bucket's number: 0…1023 fine,
    /// 1024…2047 coarse.
    private final long[] entries;
    private final int[] head = new int[2 * STEPS];
    private final long[] occupied = new long[2 * STEPS / Long.SIZE];
    private long step;
    private int armedCount;
    private long nextNs = Long.MAX_VALUE;

    TimerWheel(int capacity) {
        entries = new long[2 * capacity];
        Arrays.fill(entries, NOT_ARMED);
        Arrays.fill(head, NONE);
    }

    /// Returns how many entries have a deadline.
    int armedCount() {
        return armedCount;
    }

    /// Sets or moves the deadline of `entry`.
    void arm(int entry, long atNs) {
        cancel(entry);
        entries[2 * entry] = atNs;
        armedCount++;
        insert(entry);
        nextNs = Math.min(nextNs, atNs);
    }

    /// Moves the deadline of `entry` forward to `atNs` if it has none before that.
    void armBy(int entry, long atNs) {
        if (!isArmed(entry) || deadlineNs(entry) > atNs) {
            arm(entry, atNs);
        }
    }

    /// Takes the deadline of `entry` away, if it has one.
    void cancel(int entry) {
        if (isArmed(entry)) {
            unlink(entry);
            armedCount--;
        }
    }

    boolean isArmed(int entry) {
        return entries[2 * entry] != NOT_ARMED;
    }

    /// Returns a time not later than the earliest deadline; `Long.MAX_VALUE` when there is none.
    long nextDeadlineNs() {
        return nextNs;
    }

    /// Takes out one entry whose deadline has passed and returns it, or −1. Call it until it returns −1.
    int pollExpired(long nowNs) {
        if (nowNs < nextNs) {
            return NONE;
        }
        long target = nowNs >>> STEP_SHIFT;
        if (armedCount == 0) {
            step = Math.max(step, target);
            nextNs = Long.MAX_VALUE;
            return NONE;
        }
        while (true) {
            int entry = firstDue((int) step & MASK, nowNs);
            if (entry != NONE) {
                cancel(entry);
                return entry;
            }
            if (step >= target) {
                nextNs = earliest();
                return NONE;
            }
            advance(target);
        }
    }

    private int firstDue(int fineBucket, long nowNs) {
        int entry = head[fineBucket];
        while (entry != NONE && deadlineNs(entry) > nowNs) {
            entry = next(entry);
        }
        return entry;
    }

    /// Moves on to the next step that holds something, or the start of the next lap that does, but not past
    /// `target`.
    private void advance(long target) {
        long lapEnd = (step | MASK) + 1;
        int fine = ((int) step & MASK) + 1;
        int found = fine < STEPS ? firstOccupied(fine, STEPS) : NONE;
        if (found != NONE) {
            step = Math.min(target, (step & ~(long) MASK) + found);
            return;
        }
        if (target < lapEnd) {
            step = target;
            return;
        }
        long lap = lapEnd >>> LAP_SHIFT;
        long skipTo = nextOccupiedLap(lap);
        step = skipTo == Long.MAX_VALUE ? target : Math.min(target, skipTo << LAP_SHIFT);
        if (step >>> LAP_SHIFT == skipTo) {
            cascade((int) skipTo & MASK);
        }
    }

    /// Returns the first lap from `fromLap` on that holds entries, or `Long.MAX_VALUE`.
    private long nextOccupiedLap(long fromLap) {
        int start = STEPS + ((int) fromLap & MASK);
        int found = firstOccupied(start, 2 * STEPS);
        if (found != NONE) {
            return fromLap + (found - start);
        }
        found = firstOccupied(STEPS, start);
        return found == NONE ? Long.MAX_VALUE : fromLap + (found + STEPS - start);
    }

    private void cascade(int lapIndex) {
        int entry = head[STEPS + lapIndex];
        head[STEPS + lapIndex] = NONE;
        clear(STEPS + lapIndex);
        while (entry != NONE) {
            int following = next(entry);
            insert(entry);
            entry = following;
        }
    }

    private long earliest() {
        int fine = firstOccupied((int) step & MASK, STEPS);
        if (fine != NONE) {
            long earliest = Long.MAX_VALUE;
            for (int entry = head[fine]; entry != NONE; entry = next(entry)) {
                earliest = Math.min(earliest, deadlineNs(entry));
            }
            return earliest;
        }
        long lap = nextOccupiedLap((step >>> LAP_SHIFT) + 1);
        return lap == Long.MAX_VALUE ? Long.MAX_VALUE : lap << (LAP_SHIFT + STEP_SHIFT);
    }

    private void insert(int entry) {
        long at = Math.max(deadlineNs(entry) >>> STEP_SHIFT, step);
        long lap = at >>> LAP_SHIFT;
        long currentLap = step >>> LAP_SHIFT;
        int target = lap == currentLap ? (int) at & MASK : STEPS + ((int) Math.min(lap, currentLap + STEPS - 1) & MASK);
        int first = head[target];
        link(entry, first, ~target);
        if (first != NONE) {
            link(first, next(first), entry);
        }
        head[target] = entry;
        occupied[target >>> 6] |= 1L << target;
    }

    private void unlink(int entry) {
        int before = previous(entry);
        int after = next(entry);
        if (before < 0) {
            int bucket = ~before;
            head[bucket] = after;
            if (after == NONE) {
                clear(bucket);
            }
        } else {
            link(before, after, previous(before));
        }
        if (after != NONE) {
            link(after, next(after), before);
        }
        entries[2 * entry] = NOT_ARMED;
    }

    private long deadlineNs(int entry) {
        return entries[2 * entry];
    }

    private int next(int entry) {
        return (int) (entries[2 * entry + 1] >>> Integer.SIZE);
    }

    private int previous(int entry) {
        return (int) entries[2 * entry + 1];
    }

    private void link(int entry, int next, int previous) {
        entries[2 * entry + 1] = (long) next << Integer.SIZE | previous & 0xFFFF_FFFFL;
    }

    private void clear(int at) {
        occupied[at >>> 6] &= ~(1L << at);
    }

    /// Returns the first occupied bucket in `[from, to)`, or NONE.
    private int firstOccupied(int from, int to) {
        int word = from >>> 6;
        long bits = from < to ? occupied[word] & (-1L << from) : 0;
        while (bits == 0) {
            word++;
            if (word << 6 >= to) {
                return NONE;
            }
            bits = occupied[word];
        }
        int found = (word << 6) + Long.numberOfTrailingZeros(bits);
        return found < to ? found : NONE;
    }
}
