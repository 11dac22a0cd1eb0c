package io.homa.scenario;

import io.homa.memory.HotPath;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// The exchange of [ClosedLoopLoad] over kernel TCP on the loopback interface: one thread polls all connections
/// without blocking, one request at a time on each, with the same sizes, patterns and checks.
///
/// Both processes have one: each connects `outstanding` times to the other. One thread runs [#run]; others start,
/// stop and watch.
public final class TcpPeer implements Exchange, AutoCloseable {
    private final ServerSocketChannel listener;
    private final Workload workload;
    private final int outstanding;
    private final SplittableRandom random;
    private final LatencyBySize latency = new LatencyBySize();
    private final List<TcpConnection> accepted = new ArrayList<>();
    private final List<TcpConnection> connected = new ArrayList<>();

    private final AllocationMeter allocation = new AllocationMeter();
    private long nextTag;
    private int inFlight;
    private long checkedMessages;
    private long checkedBytes;
    private long corrupt;

    private final ExchangePhase phase = new ExchangePhase();
    private volatile boolean isRecording;
    private volatile boolean isClosing;
    private volatile long ended;
    private volatile long served;
    private volatile long recordedBytes;
    private volatile long recordedRpcs;

    public TcpPeer(Workload workload, int outstanding, long seed) throws IOException {
        this.workload = workload;
        this.outstanding = outstanding;
        random = new SplittableRandom(seed);
        listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), outstanding + 16);
        listener.configureBlocking(false);
    }

    /// Returns the port that the other side connects to.
    public int port() {
        return listener.socket().getLocalPort();
    }

    /// Connects to the other side's port. Before [#run].
    public void connect(int port) throws IOException {
        for (int i = 0; i < outstanding; i++) {
            SocketChannel channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            connected.add(connection(channel));
        }
    }

    private TcpConnection connection(SocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return new TcpConnection(channel, workload.largest());
    }

    /// Polls until [#close]. The thread that calls it owns all state.
    public void run() throws IOException {
        while (!isClosing) {
            if (accepted.size() < outstanding) {
                SocketChannel channel = listener.accept();
                if (channel != null) {
                    accepted.add(connection(channel));
                }
            }
            for (int i = 0; i < accepted.size(); i++) {
                serve(accepted.get(i));
            }
            for (int i = 0; i < connected.size(); i++) {
                call(connected.get(i));
            }
            allocation.observe(isRecording);
            if (inFlight == 0) {
                phase.onIdle();
            }
            Thread.onSpinWait();
        }
        for (TcpConnection connection : accepted) {
            connection.close();
        }
        for (TcpConnection connection : connected) {
            connection.close();
        }
        listener.close();
    }

    private void serve(TcpConnection connection) throws IOException {
        if (connection.isWriting()) {
            connection.write();
        } else if (connection.read()) {
            int length = connection.receivedLength();
            long tag = connection.receivedTag();
            check(connection.isIntact(length, tag, PayloadPattern.REQUEST), length);
            connection.prepare(length, tag, PayloadPattern.RESPONSE);
            connection.write();
            countServed();
        }
    }

    private void call(TcpConnection connection) throws IOException {
        if (connection.isWriting()) {
            connection.write();
        } else if (connection.isIdle()) {
            if (phase.isRunning()) {
                inFlight++;
                connection.begin(System.nanoTime());
                connection.prepare(workload.sample(random), nextTag++, PayloadPattern.REQUEST);
                connection.write();
            }
        } else if (connection.read()) {
            long endNs = System.nanoTime();
            int length = connection.sentLength();
            check(connection.isIntact(length, connection.sentTag(), PayloadPattern.RESPONSE), length);
            if (isRecording) {
                latency.record(length, endNs - connection.startNs());
                countRecorded(length);
            }
            connection.end();
            inFlight--;
            countEnded();
        }
    }

    @HotPath
    private void check(boolean isIntact, int length) {
        checkedMessages++;
        checkedBytes += length;
        if (!isIntact) {
            corrupt++;
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer, the thread in run; others only read
    private void countServed() {
        served++;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer, the thread in run; others only read
    private void countEnded() {
        ended++;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer, the thread in run; others only read
    private void countRecorded(int length) {
        recordedBytes += 2L * length;
        recordedRpcs++;
    }

    @Override
    public void start() {
        phase.start();
    }

    @Override
    public void record(boolean on) {
        isRecording = on;
    }

    @Override
    public void stop() {
        phase.stop();
    }

    @Override
    public boolean isDrained() {
        return phase.isDrained();
    }

    /// Ends [#run].
    @Override
    public void close() {
        isClosing = true;
    }

    @Override
    public long ended() {
        return ended;
    }

    @Override
    public long served() {
        return served;
    }

    @Override
    public long recordedBytes() {
        return recordedBytes;
    }

    @Override
    public long recordedRpcs() {
        return recordedRpcs;
    }

    @Override
    public long allocatedBytes() {
        return allocation.bytes();
    }

    @Override
    public LatencyBySize latency() {
        return latency;
    }

    @Override
    public IntegrityCount integrity() {
        return new IntegrityCount(checkedMessages, checkedBytes, corrupt, inFlight, 0);
    }
}
