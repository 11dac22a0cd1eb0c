/* What Java has to know about structures: checked here by the compiler, and there when the library is loaded. */
#include "homa_dpdk.h"

#include <stddef.h>

#include <rte_mbuf.h>
#include <rte_version.h>

/* The layout that io.homa.memory.Packet was written for; the same in DPDK 22.11 to 25.11. */
_Static_assert(sizeof(struct rte_mbuf) == 128, "mbuf size");
_Static_assert(offsetof(struct rte_mbuf, buf_addr) == 0, "buf_addr");
_Static_assert(offsetof(struct rte_mbuf, data_off) == 16, "data_off");
_Static_assert(offsetof(struct rte_mbuf, refcnt) == 18, "refcnt");
_Static_assert(offsetof(struct rte_mbuf, nb_segs) == 20, "nb_segs");
_Static_assert(offsetof(struct rte_mbuf, ol_flags) == 24, "ol_flags");
_Static_assert(offsetof(struct rte_mbuf, pkt_len) == 36, "pkt_len");
_Static_assert(offsetof(struct rte_mbuf, data_len) == 40, "data_len");
_Static_assert(offsetof(struct rte_mbuf, vlan_tci) == 42, "vlan_tci");
_Static_assert(offsetof(struct rte_mbuf, buf_len) == 54, "buf_len");
_Static_assert(offsetof(struct rte_mbuf, next) == 64, "next");
_Static_assert(RTE_PKTMBUF_HEADROOM == 128, "headroom");

static const uint32_t layout[] = {
    sizeof(struct rte_mbuf),
    offsetof(struct rte_mbuf, buf_addr),
    offsetof(struct rte_mbuf, data_off),
    offsetof(struct rte_mbuf, refcnt),
    offsetof(struct rte_mbuf, nb_segs),
    offsetof(struct rte_mbuf, ol_flags),
    offsetof(struct rte_mbuf, pkt_len),
    offsetof(struct rte_mbuf, data_len),
    offsetof(struct rte_mbuf, vlan_tci),
    offsetof(struct rte_mbuf, buf_len),
    offsetof(struct rte_mbuf, next),
    RTE_PKTMBUF_HEADROOM,
    sizeof(struct homa_port_config),
    sizeof(struct homa_port_info),
    sizeof(struct homa_port_stats),
};

uint32_t homa_abi(void)
{
    return HOMA_DPDK_ABI;
}

uint32_t homa_layout(uint32_t *out, uint32_t count)
{
    uint32_t known = sizeof(layout) / sizeof(layout[0]);
    for (uint32_t i = 0; i < known && i < count; i++)
        out[i] = layout[i];
    return known;
}

const char *homa_dpdk_version(void)
{
    return rte_version();
}
