/* The part of DPDK that Java cannot call by itself: inline functions, structures that differ between
 * releases, and a few calls bundled so that errno can be read in the thread that failed.
 *
 * Every function that can fail returns a negative errno. Addresses of mbufs travel as uint64_t. Functions without
 * another note belong to one thread at a time; burst functions to the one thread that polls the queue. */
#ifndef HOMA_DPDK_H
#define HOMA_DPDK_H

#include <stdint.h>

/* Raised with every change of a signature or structure here; Java refuses another number. */
#define HOMA_DPDK_ABI 1

#define HOMA_EXPORT __attribute__((visibility("default")))

/* What a port shall be configured to. All fields are required. */
struct homa_port_config {
    uint32_t rx_queues;
    uint32_t tx_queues;
    uint32_t rx_descriptors; /* adjusted to what the device takes; the result is written back */
    uint32_t tx_descriptors;
    uint32_t mtu; /* bytes of an IP packet */
    uint32_t reserved;
    uint64_t pool;
};

/* Facts about a port. Capabilities are 0 or 1. */
struct homa_port_info {
    uint64_t mac; /* 48 bits, first octet highest */
    uint32_t max_rx_queues;
    uint32_t max_tx_queues;
    uint32_t min_mtu;
    uint32_t max_mtu;
    uint32_t ipv4_checksum;
    uint32_t multi_segment;
    uint32_t rss;
    uint32_t numa_node; /* UINT32_MAX: none */
    char driver[48];
};

struct homa_port_stats {
    uint64_t rx_packets;
    uint64_t tx_packets;
    uint64_t rx_bytes;
    uint64_t tx_bytes;
    uint64_t rx_missed;
    uint64_t rx_errors;
    uint64_t tx_errors;
    uint64_t rx_no_mbuf;
};

/* layout.c */
/* Returns HOMA_DPDK_ABI. */
HOMA_EXPORT uint32_t homa_abi(void);
/* Writes up to count offsets and sizes in the order that Java's MbufLayout names; returns how many there are. */
HOMA_EXPORT uint32_t homa_layout(uint32_t *out, uint32_t count);
/* Returns DPDK's version as text, alive for ever. */
HOMA_EXPORT const char *homa_dpdk_version(void);

/* eal.c */
/* Starts the environment once per process; keeps the caller's affinity. Messages go to log_path (append), or nowhere if empty. */
HOMA_EXPORT int homa_eal_init(int argc, char **argv, const char *log_path);
/* Ends the environment; it cannot be started again in this process. */
HOMA_EXPORT int homa_eal_cleanup(void);
/* Makes the device `args` of a bus ("vdev", "pci") and returns its port number. */
HOMA_EXPORT int homa_device_attach(const char *bus, const char *name, const char *args);
/* Returns a port by device name that is there already (bound at start), or -ENODEV. */
HOMA_EXPORT int homa_device_find(const char *name);
/* Removes a device; its port must be closed. */
HOMA_EXPORT int homa_device_detach(const char *bus, const char *name);
/* Makes the calling thread known, so that pools use its cache. */
HOMA_EXPORT int homa_thread_register(void);
HOMA_EXPORT void homa_thread_unregister(void);
/* Pins the calling thread to one CPU. */
HOMA_EXPORT int homa_thread_pin(uint32_t cpu);
/* Fills a mask of 64-bit words with the CPUs the calling thread may use. */
HOMA_EXPORT int homa_thread_affinity(uint64_t *mask, uint32_t words);
HOMA_EXPORT int homa_thread_set_affinity(const uint64_t *mask, uint32_t words);
HOMA_EXPORT uint64_t homa_tsc(void);
HOMA_EXPORT uint64_t homa_tsc_hz(void);

/* pool.c */
/* Makes a pool of count mbufs, 64 private bytes each and data_room behind the headroom; 0 on failure with *error set. */
HOMA_EXPORT uint64_t homa_pool_create(const char *name, uint32_t count, uint32_t data_room, int *error);
HOMA_EXPORT void homa_pool_free(uint64_t pool);
/* Returns the free mbufs, those in caches included. Any thread. */
HOMA_EXPORT uint32_t homa_pool_available(uint64_t pool);
/* Writes start and length of up to count chunks of pool memory; returns how many there are. */
HOMA_EXPORT uint32_t homa_pool_chunks(uint64_t pool, uint64_t *out, uint32_t count);
/* Takes exactly count reset mbufs or none. Any thread. Returns 0 or -ENOMEM. */
HOMA_EXPORT int homa_alloc(uint64_t pool, uint64_t *out, uint32_t count);
/* Takes one reference of each mbuf away. Any thread that owns them. */
HOMA_EXPORT void homa_free(uint64_t *packets, uint32_t count);

/* port.c */
HOMA_EXPORT int homa_port_info(uint16_t port, struct homa_port_info *out);
/* Configures port and queues; *stage tells what failed: 1 configure, 2 rx queue, 3 tx queue, 4 mtu. */
HOMA_EXPORT int homa_port_configure(uint16_t port, struct homa_port_config *config, int *stage);
HOMA_EXPORT int homa_port_start(uint16_t port);
HOMA_EXPORT int homa_port_stop(uint16_t port);
HOMA_EXPORT int homa_port_close(uint16_t port);
/* Returns 1 if the link is up, 0 if not. */
HOMA_EXPORT int homa_port_link(uint16_t port);
/* Returns the link's speed in Mbit/s, 0 if unknown. */
HOMA_EXPORT uint32_t homa_port_speed(uint16_t port);
HOMA_EXPORT int homa_port_promiscuous(uint16_t port, int on);
HOMA_EXPORT int homa_port_stats(uint16_t port, struct homa_port_stats *out);

/* burst.c */
/* Receives up to count packets; returns how many. The time stamp counter read after the burst goes to *tsc. */
HOMA_EXPORT uint32_t homa_rx(uint16_t port, uint16_t queue, uint64_t *out, uint32_t count, uint64_t *tsc);
/* Hands over up to count packets; returns how many the device took. The rest stay with the caller. */
HOMA_EXPORT uint32_t homa_tx(uint16_t port, uint16_t queue, uint64_t *packets, uint32_t count);

#endif
