package io.homa.scenario;

import io.homa.SizeClass;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/// What one side of an exchange found, as values and as one line of text for the other process.
///
/// @param rpcs RPCs recorded
/// @param bytes payload bytes of requests and responses of these
/// @param served requests of the peer that were answered, in all
/// @param ended requests of this side that ended, in all
/// @param allocatedBytes heap allocated by the polling thread while recording
/// @param integrity what the checks found
/// @param latency recorded times
public record ExchangeSummary(
        long rpcs,
        long bytes,
        long served,
        long ended,
        long allocatedBytes,
        IntegrityCount integrity,
        LatencyBySize latency) {

    private static final int NUMBERS = 10;

    /// Reads a drained exchange.
    public static ExchangeSummary of(Exchange exchange) {
        return new ExchangeSummary(
                exchange.recordedRpcs(),
                exchange.recordedBytes(),
                exchange.served(),
                exchange.ended(),
                exchange.allocatedBytes(),
                exchange.integrity(),
                exchange.latency());
    }

    /// Returns the sum of both sides, as if one had done all.
    ///
    /// Requests that one side's server handled beyond those that the other side's client sent were duplicated.
    public ExchangeSummary plus(ExchangeSummary other) {
        LatencyBySize sum = new LatencyBySize();
        sum.add(latency);
        sum.add(other.latency);
        long handledTwice = Math.max(0, served - other.ended) + Math.max(0, other.served - ended);
        return new ExchangeSummary(
                rpcs + other.rpcs,
                bytes + other.bytes,
                served + other.served,
                ended + other.ended,
                allocatedBytes + other.allocatedBytes,
                integrity.plus(other.integrity).plus(new IntegrityCount(0, 0, 0, 0, handledTwice)),
                sum);
    }

    /// Returns everything in one line.
    public String toText() {
        List<String> words = new ArrayList<>();
        for (long number : new long[] {
            rpcs,
            bytes,
            served,
            ended,
            allocatedBytes,
            integrity.messages(),
            integrity.bytes(),
            integrity.corrupt(),
            integrity.lost(),
            integrity.duplicated()
        }) {
            words.add(Long.toString(number));
        }
        for (SizeClass sizeClass : SizeClass.values()) {
            words.add(encode(latency.of(sizeClass)));
        }
        words.add(encode(latency.all()));
        return String.join(" ", words);
    }

    /// Reads what [#toText] wrote.
    public static ExchangeSummary parse(String text) {
        String[] words = text.split(" ", -1);
        SizeClass[] classes = SizeClass.values();
        if (words.length != NUMBERS + classes.length + 1) {
            throw new IllegalArgumentException("not a summary: " + text);
        }
        long[] n = new long[NUMBERS];
        for (int i = 0; i < NUMBERS; i++) {
            n[i] = Long.parseLong(words[i]);
        }
        LatencyBySize latency = new LatencyBySize();
        for (int i = 0; i < classes.length; i++) {
            latency.of(classes[i]).add(decode(words[NUMBERS + i]));
        }
        latency.all().add(decode(words[NUMBERS + classes.length]));
        return new ExchangeSummary(
                n[0], n[1], n[2], n[3], n[4], new IntegrityCount(n[5], n[6], n[7], n[8], n[9]), latency);
    }

    private static String encode(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        buffer.flip();
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }

    private static Histogram decode(String text) {
        try {
            return Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(text)), 1_000_000_000L);
        } catch (DataFormatException e) {
            throw new IllegalArgumentException("not a histogram", e);
        }
    }
}
