package io.homa.net;

import io.homa.memory.HotPath;
import io.homa.memory.Memory;
import io.homa.wire.Ethernet;

/// What this host puts in front of IP packets and ARP: the Ethernet header, with a VLAN tag if configured, whose
/// priority field carries that of the packet. Immutable.
@HotPath
final class LinkHeader {
    private static final int PRIORITY_SHIFT = 13;
    private static final int VLAN_MASK = 0xFFF;

    private final long mac;
    private final int vlan;
    private final int length;

    LinkHeader(NetConfig config) {
        mac = config.mac();
        vlan = config.vlan();
        length = vlan == NetConfig.UNTAGGED ? Ethernet.LENGTH : Ethernet.TAGGED_LENGTH;
    }

    /// Returns the bytes in front of the IP packet.
    int length() {
        return length;
    }

    long mac() {
        return mac;
    }

    /// Writes all [#length] bytes.
    ///
    /// @param priority 0…7, goes into the tag
    void write(long frame, long destination, int type, int priority) {
        if (vlan == NetConfig.UNTAGGED) {
            Ethernet.write(frame, destination, mac, type);
        } else {
            Ethernet.write(frame, destination, mac, Ethernet.TYPE_VLAN);
            Memory.putInt(frame + Ethernet.LENGTH, (priority << PRIORITY_SHIFT | vlan) << 16 | type);
        }
    }

    /// Says whether a received frame with this tag, −1 without one, is for this host's VLAN. Hosts that belong to
    /// no VLAN take what the device hands them.
    boolean accepts(int tag) {
        int id = tag < 0 ? 0 : tag & VLAN_MASK;
        return vlan == NetConfig.UNTAGGED || id == vlan;
    }
}
