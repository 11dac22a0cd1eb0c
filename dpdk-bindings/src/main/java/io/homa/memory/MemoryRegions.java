package io.homa.memory;

import java.util.Arrays;

/// The live off-heap regions that [Memory] accepts when checking is on.
///
/// Owners of memory add a region after allocating it and remove it before freeing it; both calls do nothing when
/// checking is off. Adding and removing take a lock, looking up does not.
public final class MemoryRegions {
    /// Starts and ends, alternating and sorted; replaced as a whole on every change.
    private static volatile long[] bounds = {};

    private MemoryRegions() {}

    /// Announces `length` bytes from `address` as readable and writable.
    public static synchronized void add(long address, long length) {
        if (!Memory.CHECKED) {
            return;
        }
        long[] old = bounds;
        int at = 0;
        while (at < old.length && old[at] < address) {
            at += 2;
        }
        long[] grown = new long[old.length + 2];
        System.arraycopy(old, 0, grown, 0, at);
        grown[at] = address;
        grown[at + 1] = address + length;
        System.arraycopy(old, at, grown, at + 2, old.length - at);
        bounds = grown;
    }

    /// Withdraws the region that starts at `address`; unknown addresses are ignored.
    public static synchronized void remove(long address) {
        if (!Memory.CHECKED) {
            return;
        }
        long[] old = bounds;
        for (int at = 0; at < old.length; at += 2) {
            if (old[at] == address) {
                long[] shrunk = Arrays.copyOf(old, old.length - 2);
                System.arraycopy(old, at + 2, shrunk, at, old.length - at - 2);
                bounds = shrunk;
                return;
            }
        }
    }

    static void check(long address, long length) {
        long[] known = bounds;
        int low = 0;
        int high = known.length / 2 - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (known[2 * middle] <= address) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        if (high < 0 || length < 0 || address + length > known[2 * high + 1]) {
            throw new IndexOutOfBoundsException("access to " + length + " bytes at 0x" + Long.toHexString(address)
                    + " is outside every live region");
        }
    }
}
