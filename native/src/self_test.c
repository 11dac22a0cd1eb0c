/* The shim exercised from C under sanitizers: pool, ring device, bursts, bad arguments. Exits 0 when all held. */
#include "homa_dpdk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "self-test: line %d: %s\n", __LINE__, #condition);                                        \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

#define POOL_SIZE 512
#define BURST 32

static uint64_t start_pool(void)
{
    int error = -1;
    uint64_t chunks[64];
    uint64_t pool = homa_pool_create("test", POOL_SIZE, 2048, &error);
    CHECK(pool != 0 && error == 0);
    CHECK(homa_pool_available(pool) == POOL_SIZE);
    CHECK(homa_pool_chunks(pool, chunks, 32) >= 1 && chunks[0] != 0);
    CHECK(homa_pool_create("test", POOL_SIZE, 2048, &error) == 0 && error == -EEXIST);
    return pool;
}

static void exhaust(uint64_t pool)
{
    static uint64_t packets[POOL_SIZE + 1];
    CHECK(homa_alloc(pool, packets, POOL_SIZE) == 0);
    CHECK(homa_alloc(pool, packets + POOL_SIZE, 1) == -ENOMEM);
    homa_free(packets, POOL_SIZE);
    CHECK(homa_pool_available(pool) == POOL_SIZE);
}

static void loop(uint16_t port, uint64_t pool)
{
    uint64_t packets[BURST];
    uint64_t tsc = 0;
    CHECK(homa_alloc(pool, packets, BURST) == 0);
    CHECK(homa_tx(port, 0, packets, BURST) == BURST);
    uint32_t received = homa_rx(port, 0, packets, BURST, &tsc);
    CHECK(received == BURST && tsc != 0);
    homa_free(packets, received);
    CHECK(homa_rx(port, 0, packets, BURST, &tsc) == 0);
}

int main(void)
{
    char *arguments[] = {"self-test", "--no-huge", "--no-shconf", "--iova-mode=va", "--no-pci", "--no-telemetry", "-m",
        "64", "-l", "0", "--file-prefix=homa-self-test"};
    uint32_t layout[64];
    CHECK(homa_abi() == HOMA_DPDK_ABI);
    CHECK(homa_layout(layout, 64) > 10 && layout[0] == 128);
    CHECK(homa_eal_init(sizeof(arguments) / sizeof(arguments[0]), arguments, "") == 0);
    uint64_t pool = start_pool();
    exhaust(pool);
    CHECK(homa_device_attach("vdev", "net_nonsense0", "") < 0);
    int port = homa_device_attach("vdev", "net_ring0", "");
    CHECK(port >= 0);
    struct homa_port_info info;
    CHECK(homa_port_info((uint16_t)port, &info) == 0 && strlen(info.driver) > 0);
    struct homa_port_config config = {.rx_queues = 1, .tx_queues = 1, .rx_descriptors = 256, .tx_descriptors = 256,
        .mtu = 1500, .pool = pool};
    int stage = 0;
    CHECK(homa_port_configure((uint16_t)port, &config, &stage) == 0);
    CHECK(homa_port_start((uint16_t)port) == 0);
    for (int i = 0; i < 100; i++)
        loop((uint16_t)port, pool);
    struct homa_port_stats stats;
    CHECK(homa_port_stats((uint16_t)port, &stats) == 0 && stats.rx_packets == 100 * BURST);
    CHECK(homa_port_stop((uint16_t)port) == 0);
    CHECK(homa_port_close((uint16_t)port) == 0);
    CHECK(homa_pool_available(pool) == POOL_SIZE);
    homa_pool_free(pool);
    CHECK(homa_eal_cleanup() == 0);
    puts("self-test: all checks held");
    return 0;
}
