package io.homa.replay;

/// Ways in which this engine may differ from the kernel in a replayed conversation. They are counted.
///
/// Besides, always and on purpose: ids are its own, GRANT has 34 bytes, DATA has its offset in both places,
/// checksums are not filled by the engine, and acknowledgements go when they like.
enum Permitted {
    LOST_BEFORE_CAPTURE("the kernel's first copy of a packet was lost before it was captured"),
    CUTOFFS_CROSS_DATA("CUTOFFS came while the kernel was sending; we had sent before, or sent later"),
    GRANT_CROSSES_DATA("a GRANT came while the kernel still sent what an earlier one allowed; we had sent it at once"),
    GRANT_NOT_REPEATED("we send no GRANT that changes nothing"),
    OLDEST_GRANTED_LATER("the share of grants for the oldest message came at another moment"),
    ASKED_EARLIER("we had asked for what was lost before the kernel did"),
    HAD_ARRIVED("the kernel asked for what had arrived and waited in its own queues; we had taken it"),
    ANSWERED_BEFORE_APPLICATION("the kernel read a RESEND late, after the response was there; we said BUSY before"),
    ACKNOWLEDGEMENT_ASKED_EARLIER("the kernel's ticks were longer, so that the acknowledgement came before it asked"),
    FEWER_NEED_ACKS("we ask for an acknowledgement ever less often, not every tick");

    final String why;

    Permitted(String why) {
        this.why = why;
    }
}
