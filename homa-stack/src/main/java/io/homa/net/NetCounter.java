package io.homa.net;

/// Everything the network layer counts, in frames. Names are stable: other processes and scripts read them.
public enum NetCounter {
    FRAMES_RECEIVED("frames received"),
    FRAMES_SENT("frames handed to the device"),
    VLAN_TAGS_SKIPPED("frames received with a VLAN tag"),
    DROPPED_SHORT("frames dropped: shorter than the headers they claim"),
    DROPPED_MULTI_SEGMENT("frames dropped: longer than one buffer"),
    DROPPED_NOT_OURS("frames dropped: for another host"),
    DROPPED_OTHER_PROTOCOL("frames dropped: neither ARP nor IP with Homa or ICMP"),
    DROPPED_BAD_IP("frames dropped: IPv4 header broken, lengths impossible or checksum wrong"),
    DROPPED_FRAGMENT("frames dropped: IPv4 fragments, which Homa never uses"),
    DROPPED_BAD_ICMP("frames dropped: ICMP too short or checksum wrong"),
    ARP_REQUESTS_SENT("ARP requests sent"),
    ARP_REPLIES_SENT("ARP requests for our address answered"),
    ARP_LEARNED("ARP packets that gave or confirmed a neighbour's hardware address"),
    NEIGHBOURS_FAILED("neighbours that never answered ARP"),
    NEIGHBOUR_TABLE_FULL("packets dropped: no place for another neighbour"),
    DROPPED_WAITING_FULL("packets dropped: too many wait for unresolved neighbours"),
    DROPPED_NO_ROUTE(
            "packets dropped: no gateway for an address outside the subnet, or an IPv6 host that is not configured"),
    ECHO_REPLIES_SENT("pings answered"),
    UNREACHABLES_SENT("ICMP port unreachable sent"),
    UNREACHABLES_SUPPRESSED("ICMP port unreachable not sent because of the rate limit"),
    UNREACHABLES_RECEIVED("ICMP unreachable received that quotes a Homa packet of ours"),
    FRAGMENTATION_NEEDED_IGNORED("ICMP fragmentation needed received; nothing is done about it"),
    NO_PACKET("frames not made because the packet pool was empty");

    private final String meaning;

    NetCounter(String meaning) {
        this.meaning = meaning;
    }

    /// Returns what is counted, in one line.
    public String meaning() {
        return meaning;
    }
}
