package io.homa.net;

import io.homa.memory.HotPath;
import io.homa.memory.PacketPool;

/// A [PortDriver] that loses a share of the frames it receives, chosen by a seeded generator: for tests of real
/// devices.
@HotPath
public final class FaultyPortDriver implements PortDriver {
    private final PortDriver driver;
    private final PacketPool pool;
    /// A frame is lost if 32 random bits are below this.
    private final long threshold;
    private final long[] kept = new long[BURST];
    private long state;
    private long lost;

    /// Loses frames with probability `lossProbability`, 0…1.
    public FaultyPortDriver(PortDriver driver, PacketPool pool, double lossProbability, long seed) {
        if (!(lossProbability >= 0 && lossProbability <= 1)) {
            throw new IllegalArgumentException("lossProbability is " + lossProbability + "; allowed are 0 to 1");
        }
        this.driver = driver;
        this.pool = pool;
        threshold = (long) (lossProbability * (1L << 32));
        state = seed;
    }

    /// Returns how many frames were lost on purpose.
    public long lost() {
        return lost;
    }

    @Override
    public int receive() {
        int received = driver.receive();
        int count = 0;
        for (int i = 0; i < received; i++) {
            long packet = driver.packet(i);
            if (next32() < threshold) {
                lost++;
                pool.release(packet);
            } else {
                kept[count++] = packet;
            }
        }
        return count;
    }

    /// SplitMix64.
    private long next32() {
        state += 0x9E37_79B9_7F4A_7C15L;
        long z = (state ^ (state >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return (z ^ (z >>> 31)) >>> 32;
    }

    @Override
    public long packet(int index) {
        return kept[index];
    }

    @Override
    public long nowNs() {
        return driver.nowNs();
    }

    @Override
    public long detach(long packet) {
        return driver.detach(packet);
    }

    @Override
    public void put(int index, long packet) {
        driver.put(index, packet);
    }

    @Override
    public int transmit(int from, int count) {
        return driver.transmit(from, count);
    }

    @Override
    public boolean isLinkUp() {
        return driver.isLinkUp();
    }
}
