package io.homa.testing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Frames of a classic pcap file with Ethernet frames and microseconds.
///
/// @param bytes what was kept of the frame
/// @param originalLength its length on the wire
/// @param timeUs when it was seen
public record PcapFile(byte[] bytes, int originalLength, long timeUs) {
    private static final int MAGIC = 0xA1B2C3D4;

    public static List<PcapFile> read(Path file) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        if (in.getInt() != MAGIC) {
            throw new IOException(file + " is not a classic pcap file in little-endian order");
        }
        in.position(24);
        List<PcapFile> frames = new ArrayList<>();
        while (in.hasRemaining()) {
            long timeUs = in.getInt() * 1_000_000L + in.getInt();
            byte[] bytes = new byte[in.getInt()];
            int originalLength = in.getInt();
            in.get(bytes);
            frames.add(new PcapFile(bytes, originalLength, timeUs));
        }
        return frames;
    }

    public boolean isWhole() {
        return bytes.length == originalLength;
    }
}
