package io.homa.dpdk;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;
import io.homa.memory.MemoryRegions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// One receive and one transmit queue of a port. Belongs to the thread that polls it.
///
/// Received packets belong to the caller. Packets to transmit are put into the burst array and handed over by
/// [#transmit]; those that the device takes are its own (one reference each), the rest stay the caller's.
@HotPath
public final class QueuePair {
    /// Most packets in one burst.
    public static final int BURST = 32;

    private final Arena arena = Arena.ofShared();
    private final short port;
    private final short queue;
    private final boolean isCritical;
    private final long rx;
    private final long tx;
    private final long tsc;
    private boolean isClosed;

    QueuePair(int port, int queue, boolean makesSystemCalls) {
        this.port = (short) port;
        this.queue = (short) queue;
        isCritical = !makesSystemCalls;
        MemorySegment arrays = arena.allocate((2L * BURST + 1) * Long.BYTES, 64);
        MemoryRegions.add(arrays.address(), arrays.byteSize());
        rx = arrays.address();
        tx = rx + BURST * (long) Long.BYTES;
        tsc = tx + BURST * (long) Long.BYTES;
        arrays.set(ValueLayout.JAVA_LONG, 2L * BURST * Long.BYTES, DpdkCalls.tsc());
    }

    /// Receives up to [#BURST] packets and reads the time stamp counter; returns how many came.
    public int receive() {
        return DpdkCalls.rx(isCritical, port, queue, rx, BURST, tsc);
    }

    /// Returns packet `index` of the last burst.
    public long packet(int index) {
        return Memory.getLongNative(rx + index * (long) Long.BYTES);
    }

    /// Returns the time stamp counter as of the last [#receive].
    public long tsc() {
        return Memory.getLongNative(tsc);
    }

    /// Puts a packet into the transmit array at `index`, 0…BURST−1.
    public void put(int index, long packet) {
        Memory.putLongNative(tx + index * (long) Long.BYTES, packet);
    }

    /// Hands the packets `from … from + count − 1` of the transmit array to the device; returns how many it took.
    public int transmit(int from, int count) {
        return DpdkCalls.tx(isCritical, port, queue, tx + from * (long) Long.BYTES, count);
    }

    void close() {
        if (!isClosed) {
            isClosed = true;
            MemoryRegions.remove(rx);
            arena.close();
        }
    }
}
