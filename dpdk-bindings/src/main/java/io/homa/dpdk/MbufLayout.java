package io.homa.dpdk;

import io.homa.memory.Packet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Compares what the C compiler says about structures with what Java assumes.
final class MbufLayout {
    private record Field(String name, int value) {}

    /// In the order of `layout.c`.
    private static final Field[] EXPECTED = {
        new Field("sizeof(rte_mbuf)", Packet.MBUF_LENGTH),
        new Field("rte_mbuf.buf_addr", Packet.BUFFER_ADDRESS_OFFSET),
        new Field("rte_mbuf.data_off", Packet.DATA_OFFSET_OFFSET),
        new Field("rte_mbuf.refcnt", Packet.REFERENCES_OFFSET),
        new Field("rte_mbuf.nb_segs", Packet.SEGMENT_COUNT_OFFSET),
        new Field("rte_mbuf.ol_flags", Packet.OFFLOAD_FLAGS_OFFSET),
        new Field("rte_mbuf.pkt_len", Packet.PACKET_LENGTH_OFFSET),
        new Field("rte_mbuf.data_len", Packet.DATA_LENGTH_OFFSET),
        new Field("rte_mbuf.vlan_tci", Packet.VLAN_TCI_OFFSET),
        new Field("rte_mbuf.buf_len", Packet.BUFFER_LENGTH_OFFSET),
        new Field("rte_mbuf.next", Packet.NEXT_SEGMENT_OFFSET),
        new Field("RTE_PKTMBUF_HEADROOM", Packet.HEADROOM),
        new Field("sizeof(homa_port_config)", PortStructs.CONFIG_LENGTH),
        new Field("sizeof(homa_port_info)", PortStructs.INFO_LENGTH),
        new Field("sizeof(homa_port_stats)", PortStructs.STATS_LENGTH),
    };

    private MbufLayout() {}

    /// Throws [DpdkException] if any structure differs.
    static void check() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment table = arena.allocate(ValueLayout.JAVA_INT, EXPECTED.length);
            int known = DpdkCalls.layout(table, EXPECTED.length);
            if (known != EXPECTED.length) {
                throw new DpdkException(
                        "The native library describes " + known + " structure fields, these classes know "
                                + EXPECTED.length + ". Rebuild both with ./homa setup.");
            }
            for (int i = 0; i < EXPECTED.length; i++) {
                int found = table.getAtIndex(ValueLayout.JAVA_INT, i);
                if (found != EXPECTED[i].value()) {
                    throw new DpdkException(EXPECTED[i].name() + " is " + found + " in this DPDK ("
                            + DpdkCalls.version() + ") and " + EXPECTED[i].value()
                            + " in these classes. This DPDK is not supported; 22.11 to 25.11 are.");
                }
            }
        }
    }
}
