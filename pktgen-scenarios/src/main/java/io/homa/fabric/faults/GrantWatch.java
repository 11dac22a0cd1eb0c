package io.homa.fabric.faults;

import io.homa.engine.EngineConfig;
import io.homa.memory.Packet;
import io.homa.wire.DataHeader;
import io.homa.wire.GrantHeader;
import io.homa.wire.HomaHeader;
import io.homa.wire.PacketType;
import java.util.HashMap;
import java.util.Map;

/// Watches from the network that a receiver promises no more than its window: what it grants may not exceed
/// what it can
/// have received by more than that. Grants for the oldest message are excepted (protocol reference 4.3.6). One
/// thread.
final class GrantWatch {
    private static final class Message {
        long delivered;
        long granted;
    }

    private final long window;
    private final int unscheduled;
    private final int fifoPriority;
    private final Map<Long, Message> messages = new HashMap<>();

    GrantWatch(EngineConfig config) {
        window = config.grants().maxIncomingBytes() / 2;
        unscheduled = config.unscheduledBytes();
        fifoPriority = config.priorities() - 2;
    }

    private static long key(int host, long localId) {
        return localId * 64 + host;
    }

    /// A packet is handed to `host`.
    void onDelivery(int host, long packet) {
        long header = Packet.data(packet);
        int length = Packet.length(packet);
        if (length < DataHeader.LENGTH
                || HomaHeader.type(header) != PacketType.DATA
                || DataHeader.messageLength(header) <= unscheduled) {
            return;
        }
        messages.computeIfAbsent(key(host, HomaHeader.localId(header)), k -> new Message()).delivered +=
                length - DataHeader.LENGTH;
    }

    /// `host` sends a packet.
    void onTransmit(int host, long packet) {
        long header = Packet.data(packet);
        if (HomaHeader.type(header) != PacketType.GRANT) {
            return;
        }
        Message message = messages.get(key(host, HomaHeader.senderId(header)));
        if (message == null) {
            return;
        }
        long offset = GrantHeader.offset(header);
        boolean isRaised = offset > message.granted;
        message.granted = offset;
        if (isRaised && GrantHeader.priority(header) != fifoPriority && offset > message.delivered + window) {
            throw new Violation("host " + host + " granted " + offset + " bytes of a message of which at most "
                    + message.delivered + " can have arrived; its window is " + window);
        }
    }

    /// `host` has lost its memory: what it grants from now on starts anew.
    void onRestart(int host) {
        messages.keySet().removeIf(key -> Math.floorMod(key, 64L) == host);
    }
}
