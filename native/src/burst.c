/* Receive and transmit bursts: what runs for every packet. */
#include "homa_dpdk.h"

#include <rte_cycles.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

_Static_assert(sizeof(struct rte_mbuf *) == sizeof(uint64_t), "an mbuf's address is a Java long");

uint32_t homa_rx(uint16_t port, uint16_t queue, uint64_t *out, uint32_t count, uint64_t *tsc)
{
    uint16_t received = rte_eth_rx_burst(port, queue, (struct rte_mbuf **)out, (uint16_t)count);
    *tsc = rte_rdtsc();
    for (uint16_t i = 0; i < received; i++)
        rte_prefetch0(rte_pktmbuf_mtod((struct rte_mbuf *)(uintptr_t)out[i], void *));
    return received;
}

uint32_t homa_tx(uint16_t port, uint16_t queue, uint64_t *packets, uint32_t count)
{
    return rte_eth_tx_burst(port, queue, (struct rte_mbuf **)packets, (uint16_t)count);
}
