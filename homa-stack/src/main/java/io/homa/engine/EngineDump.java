package io.homa.engine;

import java.util.ArrayList;
import java.util.List;

/// What an engine is busy with, as text for people who look for a fault. Allocates; not for the hot path.
/// Engine thread
/// only.
public final class EngineDump {
    private EngineDump() {}

    /// Returns a line for each of up to `limit` RPCs.
    public static List<String> rpcs(Engine engine, long nowNs, int limit) {
        EngineParts parts = engine.parts();
        List<String> lines = new ArrayList<>();
        for (int slot = 0; slot < parts.rpcs.capacity() && lines.size() < limit; slot++) {
            Rpc rpc = parts.rpcs.at(slot);
            if (rpc.state != RpcState.FREE) {
                lines.add(describe(rpc, parts, nowNs));
            }
        }
        return lines;
    }

    /// Returns what is in use although it belongs to an RPC, a line for each kind. An engine without RPCs must have
    /// nothing of it.
    public static List<String> leftovers(Engine engine) {
        EngineParts parts = engine.parts();
        List<String> lines = new ArrayList<>();
        report(lines, parts.rpcs.size(), "RPCs");
        report(lines, parts.gaps.capacity() - parts.gaps.available(), "gaps");
        report(lines, parts.grants.activeCount(), "active grants");
        report(lines, parts.grants.totalIncoming(), "granted bytes on their way");
        report(lines, parts.transmit.isEmpty() ? 0 : 1, "or more messages to send");
        report(lines, parts.timers.armedCount(), "timers");
        return lines;
    }

    private static void report(List<String> lines, long count, String what) {
        if (count != 0) {
            lines.add(count + " " + what);
        }
    }

    private static String describe(Rpc rpc, EngineParts parts, long nowNs) {
        StringBuilder text = new StringBuilder();
        text.append(rpc.isClient ? "client " : "server ")
                .append(rpc.state)
                .append(" id ")
                .append(rpc.id);
        text.append(", peer ").append(Long.toHexString(rpc.peer().addressLow()));
        text.append(", out ").append(rpc.out.sentOffset()).append('/').append(rpc.out.grantedOffset());
        text.append('/').append(rpc.out.length());
        text.append(", in ").append(rpc.in.receivedBytes()).append('/').append(rpc.in.grantedOffset());
        text.append('/').append(rpc.in.length());
        for (int gap = rpc.in.firstGap(); gap != GapPool.NONE; gap = parts.gaps.next(gap)) {
            text.append(" [")
                    .append(parts.gaps.start(gap))
                    .append(',')
                    .append(parts.gaps.end(gap))
                    .append(')');
        }
        text.append(", silent for ")
                .append((nowNs - rpc.lastProgressNs) / 1_000)
                .append(" µs, asked ");
        text.append(rpc.resendRounds).append('+').append(rpc.probes).append(" times, ");
        text.append(parts.timers.isArmed(rpc.slot) ? "timer armed" : "no timer");
        text.append(", free packets ").append(parts.pool.available());
        return text.toString();
    }
}
