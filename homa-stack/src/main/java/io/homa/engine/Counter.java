package io.homa.engine;

/// Everything an engine counts. Names are stable: other processes and scripts read them. The unit is events
/// unless the text says bytes.
public enum Counter {
    PACKETS_RECEIVED("Homa packets handed to the engine"),
    PACKETS_SENT("Homa packets handed out for transmission"),
    DATA_BYTES_RECEIVED("message bytes received for the first time"),
    DATA_BYTES_SENT("message bytes sent for the first time"),
    DATA_BYTES_RESENT("message bytes sent again on request"),
    DATA_BYTES_DISCARDED("message bytes received and given up again because memory was short"),
    BYTES_COPIED(
            "message bytes copied by the engine, for packets that the device still held when they were asked for again"),

    REQUESTS_SENT("requests accepted from the application"),
    REQUESTS_RECEIVED("complete requests delivered to the application"),
    RESPONSES_SENT("responses accepted from the application"),
    RESPONSES_RECEIVED("complete responses delivered to the application"),
    RPCS_FAILED("RPCs of ours that ended with an error"),
    SERVER_RPCS_DISCARDED("server RPCs dropped because the client fell silent or forgot them"),
    RESPONSES_UNACKNOWLEDGED("server RPCs dropped because the client never acknowledged the response"),
    RESPONSES_TO_GONE_RPCS("responses that the application gave for RPCs that were already over"),

    GRANTS_SENT("GRANT packets sent"),
    RESENDS_SENT("RESEND packets sent"),
    BUSYS_SENT("BUSY packets sent"),
    RPC_UNKNOWNS_SENT("RPC_UNKNOWN packets sent"),
    CUTOFFS_SENT("CUTOFFS packets sent"),
    NEED_ACKS_SENT("NEED_ACK packets sent"),
    ACKS_SENT("ACK packets sent"),
    GRANTS_RECEIVED("GRANT packets received for a live RPC"),
    RESENDS_RECEIVED("RESEND packets received"),

    DROPPED_MALFORMED("packets dropped: unknown type, too short, or impossible lengths and offsets"),
    DROPPED_FREEZE("packets dropped: FREEZE, a debugging aid of the kernel module that is not honoured"),
    DROPPED_PORT_CLOSED("packets refused: nobody listens on the port"),
    DROPPED_UNKNOWN_RPC("packets dropped: the RPC they name is not known here"),
    DROPPED_WRONG_SOURCE("packets dropped: the RPC they name belongs to another host or port"),
    DROPPED_WRONG_STATE("packets dropped: the RPC is past the point where they mean something"),
    DROPPED_DUPLICATE("DATA packets dropped: every byte was there already"),
    DROPPED_TOMBSTONE("DATA packets dropped: they belong to a request that was served and acknowledged"),
    DROPPED_NO_RPC_SLOT("DATA packets dropped: the RPC table is full"),
    DROPPED_NO_PEER_SLOT("packets dropped: the peer table is full"),
    DROPPED_NO_GAP_SLOT("DATA packets dropped: the gap table is full"),
    DROPPED_NO_MEMORY("DATA packets dropped: the packet pool is at its reserve"),
    CONTROL_DROPPED("control packets not sent because the pool or the queue was exhausted"),
    RESENDS_SUPPRESSED(
            "segments asked for again that were not sent: already queued, or sent less than a round trip ago"),
    BACK_PRESSURE("commands of the application refused because a table was full");

    private final String meaning;

    Counter(String meaning) {
        this.meaning = meaning;
    }

    /// Returns what is counted, in one line.
    public String meaning() {
        return meaning;
    }
}
