package io.homa.fabric.faults;

import io.homa.engine.EngineConfig;
import io.homa.memory.Packet;
import io.homa.wire.DataHeader;
import io.homa.wire.GrantHeader;
import io.homa.wire.HomaHeader;
import io.homa.wire.PacketType;
import io.homa.wire.ResendHeader;
import java.util.HashMap;
import java.util.Map;

/// Watches from the network that both ends of a message keep to its grants. A receiver promises no more than its
/// window beyond what it can have received; grants for the oldest message are excepted (protocol reference 4.3.6). A
/// sender sends nothing, beyond what its first packet announces as going unasked, that it was not granted or asked for,
/// and announces no more than twice the configured bytes. One thread.
final class GrantWatch {
    private static final class Message {
        long delivered;
        long granted;
    }

    private final long window;
    private final int mostUnscheduled;
    private final int fifoPriority;
    /// Messages that a host receives, and that a host sends.
    private final Map<Long, Message> incoming = new HashMap<>();

    private final Map<Long, Long> announced = new HashMap<>();
    private final Map<Long, Long> permitted = new HashMap<>();

    GrantWatch(EngineConfig config) {
        window = config.grants().maxIncomingBytes() / 2;
        mostUnscheduled = 2 * config.unscheduledBytes();
        fifoPriority = config.priorities() - 2;
    }

    private static long key(int host, long localId) {
        return localId * 64 + host;
    }

    /// A packet is handed to `host`.
    void onDelivery(int host, long packet) {
        long header = Packet.data(packet);
        int length = Packet.length(packet);
        if (!PacketType.isValid(header, length)) {
            return;
        }
        long key = key(host, HomaHeader.localId(header));
        switch (HomaHeader.type(header)) {
            case PacketType.DATA -> {
                if (DataHeader.messageLength(header) > length - DataHeader.LENGTH) {
                    incoming.computeIfAbsent(key, k -> new Message()).delivered += length - DataHeader.LENGTH;
                }
            }
            case PacketType.GRANT -> permitted.merge(key, GrantHeader.offset(header), Math::max);
            case PacketType.RESEND ->
                permitted.merge(key, ResendHeader.offset(header) + ResendHeader.length(header), Math::max);
            default -> {}
        }
    }

    /// `host` sends a packet.
    void onTransmit(int host, long packet) {
        long header = Packet.data(packet);
        long key = key(host, HomaHeader.senderId(header));
        if (HomaHeader.type(header) == PacketType.GRANT) {
            onGrant(host, key, header);
        } else if (HomaHeader.type(header) == PacketType.DATA) {
            onData(host, key, header);
        }
    }

    private void onGrant(int host, long key, long header) {
        Message message = incoming.get(key);
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

    private void onData(int host, long key, long header) {
        long offset = DataHeader.offset(header);
        if (!DataHeader.isRetransmission(header)) {
            announced.putIfAbsent(key, Math.min(DataHeader.incoming(header), mostUnscheduled));
        }
        long maySend = Math.max(announced.getOrDefault(key, 0L), permitted.getOrDefault(key, 0L));
        if (offset >= maySend) {
            throw new Violation(
                    "host " + host + " sent byte " + offset + " of a message of which it may send " + maySend);
        }
    }

    /// `host` has lost its memory: what it grants from now on starts anew.
    void onRestart(int host) {
        incoming.keySet().removeIf(key -> Math.floorMod(key, 64L) == host);
        announced.keySet().removeIf(key -> Math.floorMod(key, 64L) == host);
        permitted.keySet().removeIf(key -> Math.floorMod(key, 64L) == host);
    }
}
