package io.homa.engine;

import io.homa.memory.HotPath;

/// Mixes the bits of table keys.
@HotPath
final class Hash {
    private Hash() {}

    /// Spreads all bits of `value` over all bits of the result (the finaliser of MurmurHash3).
    static long mix(long value) {
        long z = (value ^ (value >>> 33)) * 0xFF51_AFD7_ED55_8CCDL;
        z = (z ^ (z >>> 33)) * 0xC4CE_B9FE_1A85_EC53L;
        return z ^ (z >>> 33);
    }
}
