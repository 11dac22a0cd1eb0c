/* Ports: what they can do, how they are set up, how they fare. */
#include "homa_dpdk.h"

#include <errno.h>
#include <string.h>

#include <rte_ethdev.h>

int homa_port_info(uint16_t port, struct homa_port_info *out)
{
    struct rte_eth_dev_info info;
    struct rte_ether_addr mac;
    int result = rte_eth_dev_info_get(port, &info);
    if (result != 0)
        return result;
    result = rte_eth_macaddr_get(port, &mac);
    if (result != 0)
        return result;
    memset(out, 0, sizeof(*out));
    for (int i = 0; i < RTE_ETHER_ADDR_LEN; i++)
        out->mac = out->mac << 8 | mac.addr_bytes[i];
    out->max_rx_queues = info.max_rx_queues;
    out->max_tx_queues = info.max_tx_queues;
    out->min_mtu = info.min_mtu;
    out->max_mtu = info.max_mtu;
    out->ipv4_checksum = (info.tx_offload_capa & RTE_ETH_TX_OFFLOAD_IPV4_CKSUM) != 0;
    out->multi_segment = (info.tx_offload_capa & RTE_ETH_TX_OFFLOAD_MULTI_SEGS) != 0;
    out->rss = info.flow_type_rss_offloads != 0;
    out->numa_node = (uint32_t)rte_eth_dev_socket_id(port);
    if (info.driver_name != NULL)
        strncpy(out->driver, info.driver_name, sizeof(out->driver) - 1);
    return 0;
}

/* Some drivers claim that any MTU can be set and then refuse longer frames than the classic one, though they carry them. */
static int can_set_mtu(const struct rte_eth_dev_info *info, uint32_t mtu)
{
    return info->max_mtu >= mtu && info->max_rx_pktlen >= mtu + RTE_ETHER_HDR_LEN + RTE_ETHER_CRC_LEN;
}

/* Sets the MTU where the device lets it be set. Devices that do not are left alone: the stack itself never sends more. */
static int set_mtu(uint16_t port, uint32_t mtu)
{
    uint16_t current;
    int result = rte_eth_dev_get_mtu(port, &current);
    if (result == 0 && current == mtu)
        return 0;
    result = rte_eth_dev_set_mtu(port, (uint16_t)mtu);
    return result == -ENOTSUP ? 0 : result;
}

static int set_queues(uint16_t port, const struct homa_port_config *config, uint16_t rx, uint16_t tx, int *stage)
{
    struct rte_eth_dev_info info;
    int socket = rte_eth_dev_socket_id(port);
    int result = rte_eth_dev_info_get(port, &info);
    if (result != 0)
        return result;
    *stage = 2;
    struct rte_eth_rxconf rx_config = info.default_rxconf;
    /* One queue that nobody reads must not stop the others. */
    rx_config.rx_drop_en = 1;
    for (uint16_t queue = 0; queue < config->rx_queues; queue++) {
        struct rte_mempool *pool = (struct rte_mempool *)(uintptr_t)config->pool;
        result = rte_eth_rx_queue_setup(port, queue, rx, (unsigned)socket, &rx_config, pool);
        if (result == -EINVAL || result == -ENOTSUP)
            result = rte_eth_rx_queue_setup(port, queue, rx, (unsigned)socket, NULL, pool);
        if (result != 0)
            return result;
    }
    *stage = 3;
    for (uint16_t queue = 0; queue < config->tx_queues; queue++) {
        result = rte_eth_tx_queue_setup(port, queue, tx, (unsigned)socket, NULL);
        if (result != 0)
            return result;
    }
    return 0;
}

int homa_port_configure(uint16_t port, struct homa_port_config *config, int *stage)
{
    struct rte_eth_dev_info info;
    struct rte_eth_conf conf;
    uint16_t rx = (uint16_t)config->rx_descriptors;
    uint16_t tx = (uint16_t)config->tx_descriptors;
    *stage = 1;
    int result = rte_eth_dev_info_get(port, &info);
    if (result != 0)
        return result;
    memset(&conf, 0, sizeof(conf));
    if (can_set_mtu(&info, config->mtu))
        conf.rxmode.mtu = config->mtu;
    if (config->rx_queues > 1) {
        conf.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS;
        conf.rx_adv_conf.rss_conf.rss_hf = info.flow_type_rss_offloads & (RTE_ETH_RSS_IPV4 | RTE_ETH_RSS_IPV6);
    }
    result = rte_eth_dev_configure(port, (uint16_t)config->rx_queues, (uint16_t)config->tx_queues, &conf);
    if (result != 0)
        return result;
    result = rte_eth_dev_adjust_nb_rx_tx_desc(port, &rx, &tx);
    if (result != 0)
        return result;
    config->rx_descriptors = rx;
    config->tx_descriptors = tx;
    result = set_queues(port, config, rx, tx, stage);
    if (result != 0)
        return result;
    *stage = 4;
    return can_set_mtu(&info, config->mtu) ? set_mtu(port, config->mtu) : 0;
}

int homa_port_start(uint16_t port)
{
    return rte_eth_dev_start(port);
}

int homa_port_stop(uint16_t port)
{
    return rte_eth_dev_stop(port);
}

int homa_port_close(uint16_t port)
{
    return rte_eth_dev_close(port);
}

int homa_port_link(uint16_t port)
{
    struct rte_eth_link link;
    int result = rte_eth_link_get_nowait(port, &link);
    return result != 0 ? result : link.link_status == RTE_ETH_LINK_UP;
}

uint32_t homa_port_speed(uint16_t port)
{
    struct rte_eth_link link;
    if (rte_eth_link_get_nowait(port, &link) != 0 || link.link_speed == RTE_ETH_SPEED_NUM_UNKNOWN)
        return 0;
    return link.link_speed;
}

int homa_port_promiscuous(uint16_t port, int on)
{
    return on ? rte_eth_promiscuous_enable(port) : rte_eth_promiscuous_disable(port);
}

int homa_port_stats(uint16_t port, struct homa_port_stats *out)
{
    struct rte_eth_stats stats;
    int result = rte_eth_stats_get(port, &stats);
    if (result != 0)
        return result;
    *out = (struct homa_port_stats){
        .rx_packets = stats.ipackets,
        .tx_packets = stats.opackets,
        .rx_bytes = stats.ibytes,
        .tx_bytes = stats.obytes,
        .rx_missed = stats.imissed,
        .rx_errors = stats.ierrors,
        .tx_errors = stats.oerrors,
        .rx_no_mbuf = stats.rx_nombuf,
    };
    return 0;
}
