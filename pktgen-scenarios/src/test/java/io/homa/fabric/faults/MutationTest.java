package io.homa.fabric.faults;

import static io.homa.fabric.faults.Mutation.addsToArgument;
import static io.homa.fabric.faults.Mutation.addsToResult;
import static io.homa.fabric.faults.Mutation.skips;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The test of the simulation: it has to notice that the engine is broken, in each of these ways.
class MutationTest {
    private static final int SEEDS = 1_000;

    private static final String RPC = "Lio/homa/engine/Rpc;";

    static List<Mutation> mutations() {
        return List.of(
                addsToArgument("a gap that shrinks is one byte short", "IncomingMessage", "fill", "start(II)V", 1),
                skips("a full gap is never free again", "IncomingMessage", "removeGap", "free(I)V"),
                skips("an overlapping packet is kept whole", "IncomingMessage", "fill", "trim(JII)V"),
                skips("a split gap forgets the packet before it", "IncomingMessage", "fill", "packetBefore(IJ)V"),
                skips("no tombstone is set", "RpcLifecycle", "finishServer", "add(JLio/homa/engine/Peer;IJ)V"),
                skips(
                        "tombstones are not looked at",
                        "MessageReceiver",
                        "createServer",
                        "contains(JLio/homa/engine/Peer;IJ)Z"),
                addsToResult("grants go past the window", "GrantScheduler", "grantActive", "receivedBytes()I", 200_000),
                skips("a dead message stays active", "GrantScheduler", "remove", "deactivate(" + RPC + ")V"),
                skips("no message becomes active", "GrantScheduler", "place", "activate(" + RPC + ")V"),
                addsToArgument("a GRANT counts for more than it says", "MessageSender", "onGrant", "grant(I)Z", 50_000),
                skips("the window is not kept", "GrantScheduler", "run", "recount(Lio/homa/engine/IncomingMessage;)V"),
                skips("a GRANT does not wake the sender", "MessageSender", "onGrant", "offer(" + RPC + ")V"),
                skips("RESEND is not served", "MessageSender", "onResend", "retransmit(" + RPC + "IIIJ)V"),
                skips("a packet is sent without a reference of its own", "MessageSender", "nextOf", "retain(J)V"),
                skips("NEED_ACK is not answered", "AckQueue", "answer", "ack(Lio/homa/engine/Peer;IIJ)V"),
                skips(
                        "nobody asks for an acknowledgement",
                        "LossRecovery",
                        "onUnacknowledged",
                        "needAck(" + RPC + ")V"),
                skips("the timer is not set again", "LossRecovery", "onSilence", "arm(IJ)V"),
                skips(
                        "a request of which the rest is lost is not watched",
                        "MessageReceiver",
                        "createServer",
                        "watch(" + RPC + "J)V"),
                skips("the index keeps a hole", "RpcTable", "remove", "closeHole(I)V"),
                skips(
                        "a message that ends keeps its packets",
                        "RpcLifecycle",
                        "free",
                        "end(Lio/homa/memory/PacketPool;)V"));
    }

    @ParameterizedTest
    @MethodSource("mutations")
    @SuppressWarnings("unchecked")
    void isNoticed(Mutation mutation) throws ReflectiveOperationException {
        Class<?> type = new MutatedClasses(mutation).loadClass(SeedProbe.class.getName());
        LongFunction<@Nullable String> probe =
                (LongFunction<@Nullable String>) type.getDeclaredConstructor().newInstance();
        for (long seed = 1; seed <= SEEDS; seed++) {
            String violation = probe.apply(seed);
            if (violation != null) {
                System.out.println(mutation + ": seed " + seed + " "
                        + violation.lines().findFirst().orElseThrow());
                return;
            }
        }
        fail(mutation + ": nothing noticed in " + SEEDS + " seeds");
    }
}
