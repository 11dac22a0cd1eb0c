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
    NEIGHBOURS_FAILED("neighbours that never answered ARP or neighbour solicitation"),
    NEIGHBOUR_TABLE_FULL("packets dropped: no place for another neighbour"),
    DROPPED_WAITING_FULL("packets dropped: too many wait for unresolved neighbours"),
    DROPPED_WAITING_REPEATS("RESEND, BUSY and NEED_ACK dropped: their neighbour is not resolved, and they come again"),
    DROPPED_NO_ROUTE("packets dropped: no gateway for an address outside the subnet, or no IPv6 address of our own"),
    ECHO_REPLIES_SENT("pings answered"),
    UNREACHABLES_SENT("ICMP port unreachable sent"),
    UNREACHABLES_SUPPRESSED("ICMP port unreachable not sent because of the rate limit"),
    UNREACHABLES_RECEIVED("ICMP unreachable received that quotes a Homa packet of ours"),
    PACKETS_TOO_BIG("reports of a router that a Homa packet of ours is longer than its next link allows"),
    SMALLEST_PATH_MTU("smallest MTU that such a report named, in bytes of an IP packet; 0 without one"),
    DROPPED_OTHER_VLAN("frames dropped: for another VLAN than ours"),
    SOLICITATIONS_SENT("IPv6 neighbour solicitations sent"),
    ADVERTISEMENTS_SENT("IPv6 neighbour advertisements sent, those at start and after link up included"),
    NDP_LEARNED("IPv6 neighbour messages that gave or confirmed a neighbour's hardware address"),
    DROPPED_BAD_NDP("IPv6 neighbour messages dropped: malformed, or from beyond a router"),
    ANNOUNCEMENTS_SENT("gratuitous ARP sent: at start and after link up"),
    ADDRESS_CONFLICTS("ARP or neighbour messages of another host that claims our address"),
    NEIGHBOURS_EXPIRED("known neighbours forgotten because they no longer answer"),
    LINK_DOWNS("times the link was lost"),
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
