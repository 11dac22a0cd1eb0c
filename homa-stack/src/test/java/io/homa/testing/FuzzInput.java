package io.homa.testing;

/// Choices that a fuzzer's bytes stand for. Behind the end of the bytes every choice is 0.
public final class FuzzInput {
    private final byte[] bytes;
    private int at;

    public FuzzInput(byte[] bytes) {
        this.bytes = bytes;
    }

    public boolean isAtEnd() {
        return at >= bytes.length;
    }

    /// Returns the number of bytes that are left.
    public int remaining() {
        return bytes.length - at;
    }

    /// Returns 0…255.
    public int nextByte() {
        return isAtEnd() ? 0 : bytes[at++] & 0xFF;
    }

    /// Returns 0…`bound`-1, for bounds up to 256.
    public int next(int bound) {
        return nextByte() % bound;
    }

    /// Returns 0…65535.
    public int nextShort() {
        return nextByte() << 8 | nextByte();
    }

    public int nextInt() {
        return nextShort() << 16 | nextShort();
    }

    public long nextLong() {
        return (long) nextInt() << 32 | (nextInt() & 0xFFFF_FFFFL);
    }

    /// Copies up to `length` bytes to `target` from `offset` on; what is missing at the end stays as it is.
    public void copyTo(byte[] target, int offset, int length) {
        int copied = Math.min(length, bytes.length - at);
        System.arraycopy(bytes, at, target, offset, copied);
        at += copied;
    }
}
