package io.homa.testing;

import io.homa.memory.Memory;
import io.homa.memory.MemoryRegions;
import java.lang.foreign.Arena;
import java.util.HexFormat;

/// A piece of off-heap memory of exactly the asked size, so that any access beyond it fails.
public final class Scratch implements AutoCloseable {
    private final Arena arena = Arena.ofConfined();
    private final long address;
    private final int length;

    public Scratch(int length) {
        this.length = length;
        address = arena.allocate(Math.max(length, 1), 8).address();
        MemoryRegions.add(address, length);
    }

    /// Makes memory that holds `bytes`.
    public static Scratch of(byte[] bytes) {
        Scratch scratch = new Scratch(bytes.length);
        Memory.copyFrom(bytes, 0, scratch.address, bytes.length);
        return scratch;
    }

    public long address() {
        return address;
    }

    /// Copies the memory to an array of its size.
    public void copyTo(byte[] target) {
        Memory.copyTo(address, target, 0, length);
    }

    public String hex(int bytes) {
        byte[] copy = new byte[Math.min(bytes, length)];
        Memory.copyTo(address, copy, 0, copy.length);
        return HexFormat.of().formatHex(copy);
    }

    @Override
    public void close() {
        MemoryRegions.remove(address);
        arena.close();
    }
}
