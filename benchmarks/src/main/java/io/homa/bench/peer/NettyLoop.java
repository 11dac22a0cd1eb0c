package io.homa.bench.peer;

import io.homa.bench.load.Load;
import io.homa.bench.load.LoadGenerator;
import io.homa.bench.load.LoadResult;
import io.homa.dpdk.ThreadAffinity;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SelectStrategy;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// An event loop of Netty on the side's CPU, with the native epoll transport, that never sleeps: its select strategy
/// asks epoll without waiting, which is how Netty lets a loop trade CPU for latency. The load of a client runs on the
/// loop's thread between two looks at the sockets, so that neither has to hand anything to another thread.
final class NettyLoop implements AutoCloseable {
    private static final int CLOSE_SECONDS = 5;

    private final MultiThreadIoEventLoopGroup group;
    private volatile Runnable cycle = () -> {};
    private volatile @Nullable LoadGenerator load;

    NettyLoop(SideConfig side, String name) {
        SelectStrategy spinning = (selectNow, _) -> {
            cycle.run();
            return selectNow.get();
        };
        ThreadFactory threads = work -> thread(side, name, work);
        group = new MultiThreadIoEventLoopGroup(1, threads, EpollIoHandler.newFactory(0, () -> spinning));
        group.execute(() -> {}); // the thread starts with the first task; gRPC has none before the first call
    }

    private static Thread thread(SideConfig side, String name, Runnable work) {
        Runnable pinned = () -> {
            ThreadAffinity.pin(side.cpu());
            work.run();
        };
        Thread thread = new FastThreadLocalThread(pinned, name);
        thread.setDaemon(true);
        return thread;
    }

    EventLoopGroup group() {
        return group;
    }

    /// Lets `newCycle` run on the loop's thread again and again.
    void onCycle(Runnable newCycle) {
        cycle = newCycle;
    }

    /// Returns the load that runs; null when there is none.
    @Nullable
    LoadGenerator load() {
        LoadGenerator current = load;
        return current == null || current.isDone() ? null : current;
    }

    /// Lets the load fail, if there is one.
    void fail(Throwable cause) {
        LoadGenerator current = load;
        if (current != null) {
            current.fail(cause.toString());
        }
    }

    /// Runs a load on the loop's thread and waits for it.
    LoadResult run(Load wanted) throws InterruptedException {
        LoadGenerator generator = new LoadGenerator(wanted);
        load = generator;
        return generator.await();
    }

    /// Waits for something that the loop does.
    static <T> T await(Future<T> future) {
        try {
            return future.get(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
            throw new IllegalStateException("Netty: " + e, e);
        }
    }

    @Override
    public void close() {
        cycle = () -> {};
        await(group.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS));
    }
}
