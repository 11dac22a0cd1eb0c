package io.homa.dpdk;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.homa.memory.HotPath;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The functions of `homa_dpdk.h`, one typed wrapper each. Pointers that lie in memory of ours travel as `long`.
///
/// Burst functions exist twice: *critical* ones, which keep the collector from a safepoint while they run and
/// cost about 3 ns, for devices in memory; and ordinary ones for devices whose bursts make system calls.
@SuppressWarnings("restricted") // Downcalls are the purpose of this class.
final class DpdkCalls {
    private static final Linker.Option CRITICAL = Linker.Option.critical(false);

    private static final FunctionDescriptor RX_TYPE =
            FunctionDescriptor.of(JAVA_INT, JAVA_SHORT, JAVA_SHORT, JAVA_LONG, JAVA_INT, JAVA_LONG);
    private static final FunctionDescriptor TX_TYPE =
            FunctionDescriptor.of(JAVA_INT, JAVA_SHORT, JAVA_SHORT, JAVA_LONG, JAVA_INT);

    private static final MethodHandle RX = DpdkLibrary.function("homa_rx", RX_TYPE);
    private static final MethodHandle RX_CRITICAL = DpdkLibrary.function("homa_rx", RX_TYPE, CRITICAL);
    private static final MethodHandle TX = DpdkLibrary.function("homa_tx", TX_TYPE);
    private static final MethodHandle TX_CRITICAL = DpdkLibrary.function("homa_tx", TX_TYPE, CRITICAL);
    private static final MethodHandle ALLOC = DpdkLibrary.function(
            "homa_alloc", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT), CRITICAL);
    private static final MethodHandle FREE =
            DpdkLibrary.function("homa_free", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT), CRITICAL);
    private static final MethodHandle POOL_AVAILABLE =
            DpdkLibrary.function("homa_pool_available", FunctionDescriptor.of(JAVA_INT, JAVA_LONG), CRITICAL);
    private static final MethodHandle TSC =
            DpdkLibrary.function("homa_tsc", FunctionDescriptor.of(JAVA_LONG), CRITICAL);

    private static final MethodHandle TSC_HZ = DpdkLibrary.function("homa_tsc_hz", FunctionDescriptor.of(JAVA_LONG));
    private static final MethodHandle LAYOUT =
            DpdkLibrary.function("homa_layout", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle VERSION =
            DpdkLibrary.function("homa_dpdk_version", FunctionDescriptor.of(ADDRESS));
    private static final MethodHandle EAL_INIT =
            DpdkLibrary.function("homa_eal_init", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle EAL_CLEANUP =
            DpdkLibrary.function("homa_eal_cleanup", FunctionDescriptor.of(JAVA_INT));
    private static final MethodHandle DEVICE_ATTACH =
            DpdkLibrary.function("homa_device_attach", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));
    private static final MethodHandle DEVICE_FIND =
            DpdkLibrary.function("homa_device_find", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    private static final MethodHandle DEVICE_DETACH =
            DpdkLibrary.function("homa_device_detach", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle THREAD_REGISTER =
            DpdkLibrary.function("homa_thread_register", FunctionDescriptor.of(JAVA_INT));
    private static final MethodHandle THREAD_UNREGISTER =
            DpdkLibrary.function("homa_thread_unregister", FunctionDescriptor.ofVoid());
    private static final MethodHandle THREAD_PIN =
            DpdkLibrary.function("homa_thread_pin", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle THREAD_AFFINITY =
            DpdkLibrary.function("homa_thread_affinity", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle THREAD_SET_AFFINITY =
            DpdkLibrary.function("homa_thread_set_affinity", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle POOL_CREATE = DpdkLibrary.function(
            "homa_pool_create", FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle POOL_FREE =
            DpdkLibrary.function("homa_pool_free", FunctionDescriptor.ofVoid(JAVA_LONG));
    private static final MethodHandle POOL_CHUNKS =
            DpdkLibrary.function("homa_pool_chunks", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS, JAVA_INT));
    private static final MethodHandle PORT_INFO = portCallWithStruct("homa_port_info");
    private static final MethodHandle PORT_STATS = portCallWithStruct("homa_port_stats");
    private static final MethodHandle PORT_CONFIGURE =
            DpdkLibrary.function("homa_port_configure", FunctionDescriptor.of(JAVA_INT, JAVA_SHORT, ADDRESS, ADDRESS));
    private static final MethodHandle PORT_START = portCall("homa_port_start");
    private static final MethodHandle PORT_STOP = portCall("homa_port_stop");
    private static final MethodHandle PORT_CLOSE = portCall("homa_port_close");
    private static final MethodHandle PORT_LINK = portCall("homa_port_link");
    private static final MethodHandle PORT_SPEED = portCall("homa_port_speed");
    private static final MethodHandle PORT_PROMISCUOUS =
            DpdkLibrary.function("homa_port_promiscuous", FunctionDescriptor.of(JAVA_INT, JAVA_SHORT, JAVA_INT));

    private DpdkCalls() {}

    private static MethodHandle portCall(String name) {
        return DpdkLibrary.function(name, FunctionDescriptor.of(JAVA_INT, JAVA_SHORT));
    }

    private static MethodHandle portCallWithStruct(String name) {
        return DpdkLibrary.function(name, FunctionDescriptor.of(JAVA_INT, JAVA_SHORT, ADDRESS));
    }

    private static LinkageError broken(Throwable e) {
        return new LinkageError("a downcall failed in Java", e);
    }

    @HotPath
    static int rx(boolean isCritical, short port, short queue, long packets, int count, long tsc) {
        try {
            return isCritical
                    ? (int) RX_CRITICAL.invokeExact(port, queue, packets, count, tsc)
                    : (int) RX.invokeExact(port, queue, packets, count, tsc);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    @HotPath
    static int tx(boolean isCritical, short port, short queue, long packets, int count) {
        try {
            return isCritical
                    ? (int) TX_CRITICAL.invokeExact(port, queue, packets, count)
                    : (int) TX.invokeExact(port, queue, packets, count);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    @HotPath
    static int alloc(long pool, long packets, int count) {
        try {
            return (int) ALLOC.invokeExact(pool, packets, count);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    @HotPath
    static void free(long packets, int count) {
        try {
            FREE.invokeExact(packets, count);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    @HotPath
    static int poolAvailable(long pool) {
        try {
            return (int) POOL_AVAILABLE.invokeExact(pool);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    @HotPath
    static long tsc() {
        try {
            return (long) TSC.invokeExact();
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    static long tscHz() {
        try {
            return (long) TSC_HZ.invokeExact();
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    static int layout(MemorySegment out, int count) {
        try {
            return (int) LAYOUT.invokeExact(out, count);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    static String version() {
        try {
            MemorySegment text = (MemorySegment) VERSION.invokeExact();
            return text.reinterpret(256).getString(0);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    static int ealInit(int count, MemorySegment arguments, MemorySegment logPath) {
        try {
            return (int) EAL_INIT.invokeExact(count, arguments, logPath);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    static int ealCleanup() {
        try {
            return (int) EAL_CLEANUP.invokeExact();
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    static int deviceAttach(MemorySegment bus, MemorySegment name, MemorySegment arguments) {
        try {
            return (int) DEVICE_ATTACH.invokeExact(bus, name, arguments);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    static int deviceFind(MemorySegment name) {
        try {
            return (int) DEVICE_FIND.invokeExact(name);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    static int deviceDetach(MemorySegment bus, MemorySegment name) {
        try {
            return (int) DEVICE_DETACH.invokeExact(bus, name);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    static int threadRegister() {
        try {
            return (int) THREAD_REGISTER.invokeExact();
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    static void threadUnregister() {
        try {
            THREAD_UNREGISTER.invokeExact();
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    static int threadPin(int cpu) {
        try {
            return (int) THREAD_PIN.invokeExact(cpu);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    static int threadAffinity(MemorySegment mask, int words) {
        try {
            return (int) THREAD_AFFINITY.invokeExact(mask, words);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    static int threadSetAffinity(MemorySegment mask, int words) {
        try {
            return (int) THREAD_SET_AFFINITY.invokeExact(mask, words);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    static long poolCreate(MemorySegment name, int count, int dataRoom, MemorySegment error) {
        try {
            return (long) POOL_CREATE.invokeExact(name, count, dataRoom, error);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    static void poolFree(long pool) {
        try {
            POOL_FREE.invokeExact(pool);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    static int poolChunks(long pool, MemorySegment out, int count) {
        try {
            return (int) POOL_CHUNKS.invokeExact(pool, out, count);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    static int portInfo(short port, MemorySegment out) {
        try {
            return (int) PORT_INFO.invokeExact(port, out);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    static int portStats(short port, MemorySegment out) {
        try {
            return (int) PORT_STATS.invokeExact(port, out);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    static int portConfigure(short port, MemorySegment config, MemorySegment stage) {
        try {
            return (int) PORT_CONFIGURE.invokeExact(port, config, stage);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    static int portStart(short port) {
        return portCall(PORT_START, port);
    }

    static int portStop(short port) {
        return portCall(PORT_STOP, port);
    }

    static int portClose(short port) {
        return portCall(PORT_CLOSE, port);
    }

    static int portLink(short port) {
        return portCall(PORT_LINK, port);
    }

    static int portSpeed(short port) {
        return portCall(PORT_SPEED, port);
    }

    private static int portCall(MethodHandle call, short port) {
        try {
            return (int) call.invokeExact(port);
        } catch (Throwable e) {
            throw broken(e);
        }
    }

    static int portPromiscuous(short port, boolean isOn) {
        try {
            return (int) PORT_PROMISCUOUS.invokeExact(port, isOn ? 1 : 0);
        } catch (Throwable e) {
            throw broken(e);
        }
    }
}
