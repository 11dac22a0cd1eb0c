package io.homa.bench.peer;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.BufferClaim;
import io.homa.bench.load.Contents;
import io.homa.memory.MemoryRegions;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/// What both sides of Aeron share: driver, client, and messages. As its documentation has it for low latency with few
/// cores: the media driver and the client's conductor are invoked by the application's thread, which spins; exclusive
/// publications; short messages are written in place (`tryClaim`), long ones offered; no sparse files, memory touched
/// beforehand, no bounds checks (see the JVM flags of [Peer]). One thread after another.
final class AeronMessages implements AutoCloseable {
    /// A message may be an eighth of a term, and the longest is 1,000,000 bytes.
    private static final int TERM_BYTES = 8 << 20;

    private static final int MAX_MESSAGE_BYTES = 1_000_000;
    private static final int IP_AND_UDP_BYTES = 28;
    private static final int FRAME_ALIGNMENT = 32;
    private static final int SOCKET_BUFFER_BYTES = 4 << 20;
    /// Half of a term: Aeron lets no sender be further ahead.
    private static final int WINDOW_BYTES = TERM_BYTES / 2;

    private final @Nullable MediaDriver driver;
    private final Aeron aeron;
    private final Arena arena = Arena.ofShared();
    private final BufferClaim claim = new BufferClaim();
    private final UnsafeBuffer scratch;
    private final long scratchAddress;

    private AeronMessages(@Nullable MediaDriver driver, Path directory) {
        this.driver = driver;
        Aeron.Context context = new Aeron.Context()
                .aeronDirectoryName(directory.toString())
                .useConductorAgentInvoker(true)
                .preTouchMappedMemory(true);
        if (driver != null) {
            context.driverAgentInvoker(driver.sharedAgentInvoker());
        }
        aeron = Aeron.connect(context);
        var memory = arena.allocate(MAX_MESSAGE_BYTES, FRAME_ALIGNMENT);
        scratchAddress = memory.address();
        MemoryRegions.add(scratchAddress, MAX_MESSAGE_BYTES);
        scratch = new UnsafeBuffer(memory.asByteBuffer());
    }

    /// Starts a media driver and connects to it.
    static AeronMessages withDriver(SideConfig side, Path directory) {
        int payload = (side.mtu() - IP_AND_UDP_BYTES) / FRAME_ALIGNMENT * FRAME_ALIGNMENT;
        return new AeronMessages(
                MediaDriver.launchEmbedded(new MediaDriver.Context()
                        .aeronDirectoryName(directory.toString())
                        .threadingMode(ThreadingMode.INVOKER)
                        .dirDeleteOnStart(true)
                        .dirDeleteOnShutdown(true)
                        .termBufferSparseFile(false)
                        .publicationTermBufferLength(TERM_BYTES)
                        .ipcTermBufferLength(TERM_BYTES)
                        .socketSndbufLength(SOCKET_BUFFER_BYTES)
                        .socketRcvbufLength(SOCKET_BUFFER_BYTES)
                        .initialWindowLength(WINDOW_BYTES)
                        .mtuLength(payload)),
                directory);
    }

    /// Connects to the media driver of another process.
    static AeronMessages without(Path directory) {
        return new AeronMessages(null, directory);
    }

    Aeron aeron() {
        return aeron;
    }

    /// Lets driver and conductor work.
    void invoke() {
        MediaDriver own = driver;
        if (own != null) {
            own.sharedAgentInvoker().invoke();
        }
        aeron.conductorAgentInvoker().invoke();
    }

    /// Sends a message; false if there is no room now.
    boolean send(ExclusivePublication to, int slot, int responseBytes, int length) {
        long position;
        if (length <= to.maxPayloadLength()) {
            position = to.tryClaim(length, claim);
            if (position > 0) {
                MutableDirectBuffer buffer = claim.buffer();
                Contents.writeMessage(buffer.addressOffset() + claim.offset(), slot, responseBytes, length);
                claim.commit();
            }
        } else {
            // Only what Aeron takes is worth writing: it says so before.
            if (to.availableWindow() < 2L * length) {
                return false;
            }
            Contents.writeMessage(scratchAddress, slot, responseBytes, length);
            position = to.offer(scratch, 0, length);
        }
        if (position == Publication.CLOSED || position == Publication.MAX_POSITION_EXCEEDED) {
            throw new IllegalStateException("Aeron refused a message: " + Publication.errorString(position));
        }
        return position > 0;
    }

    /// Returns where a received message is.
    static long address(DirectBuffer buffer, int offset) {
        return buffer.addressOffset() + offset;
    }

    @Override
    public void close() {
        aeron.close();
        MediaDriver own = driver;
        if (own != null) {
            own.close();
        }
        MemoryRegions.remove(scratchAddress);
        arena.close();
    }
}
