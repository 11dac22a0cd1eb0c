/* Starts DPDK and one device for raw-ping. */
#include "raw_ping.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <rte_cycles.h>
#include <rte_dev.h>
#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

#define POOL_SIZE 16384
#define DESCRIPTORS 1024

void fail(const char *what, const char *why)
{
    fprintf(stderr, "raw-ping: %s: %s\n", what, why);
    exit(1);
}

double now_s(void)
{
    return (double)rte_get_timer_cycles() / (double)rte_get_timer_hz();
}

/* Turns a device spec of the homa command into DPDK's name and arguments. */
static void device_arguments(
    const struct options *options, char *name, size_t name_length, char *args, size_t length)
{
    const char *path = strchr(options->device, ':');
    if (path == NULL)
        fail("--device", "expected vhost:PATH, virtio:PATH, memif:PATH, af_packet:IF or af_xdp:IF");
    size_t kind = (size_t)(path - options->device);
    path++;
    if (kind == 5 && strncmp(options->device, "vhost", kind) == 0) {
        snprintf(name, name_length, "net_vhost0");
        snprintf(args, length, "iface=%s,queues=1", path);
    } else if (kind == 6 && strncmp(options->device, "virtio", kind) == 0) {
        struct stat status;
        for (double end = now_s() + options->wait_seconds; stat(path, &status) != 0 && !is_stopped;)
            if (now_s() > end)
                fail(path, "no such socket; start the vhost side first");
        snprintf(name, name_length, "net_virtio_user0");
        snprintf(args, length, "path=%s,queues=1,queue_size=%d", path, DESCRIPTORS);
    } else if (kind == 5 && strncmp(options->device, "memif", kind) == 0) {
        snprintf(name, name_length, "net_memif0");
        snprintf(args, length, "role=%s,socket=%s,socket-abstract=no,bsize=%u", options->is_server ? "server" : "client",
            path, options->mtu > 1500 ? 10240 : 2048);
    } else if (kind == 9 && strncmp(options->device, "af_packet", kind) == 0) {
        snprintf(name, name_length, "net_af_packet0");
        snprintf(args, length, "iface=%s", path);
    } else if (kind == 6 && strncmp(options->device, "af_xdp", kind) == 0) {
        snprintf(name, name_length, "net_af_xdp0");
        snprintf(args, length, "iface=%s", path);
    } else {
        fail(options->device, "unknown kind of device");
    }
}

void start_eal(const struct options *options)
{
    char core[16];
    char prefix[48];
    snprintf(core, sizeof(core), "%u", options->core);
    snprintf(prefix, sizeof(prefix), "--file-prefix=rawping%d", (int)getpid());
    char *arguments[] = {"raw-ping", "--no-huge", "--no-shconf", "--iova-mode=va", "--no-pci", "--no-telemetry", "-m",
        "512", "-l", core, "--log-level=*:warning", prefix, NULL};
    int count = sizeof(arguments) / sizeof(arguments[0]) - 1;
    if (rte_eal_init(count, arguments) < 0)
        fail("rte_eal_init", rte_strerror(rte_errno));
}

uint16_t start_port(const struct options *options, struct rte_mempool **pool)
{
    char name[64];
    char args[512];
    uint16_t port;
    device_arguments(options, name, sizeof(name), args, sizeof(args));
    if (rte_eal_hotplug_add("vdev", name, args) != 0 || rte_eth_dev_get_port_by_name(name, &port) != 0)
        fail(options->device, "DPDK cannot make this device");
    uint16_t room = (uint16_t)(RTE_PKTMBUF_HEADROOM + (options->mtu > 1500 ? 10240 : 2048));
    *pool = rte_pktmbuf_pool_create("raw", POOL_SIZE, 256, 0, room, (int)rte_socket_id());
    struct rte_eth_conf conf = {0};
    uint16_t rx = DESCRIPTORS;
    uint16_t tx = DESCRIPTORS;
    if (*pool == NULL || rte_eth_dev_configure(port, 1, 1, &conf) != 0
        || rte_eth_dev_adjust_nb_rx_tx_desc(port, &rx, &tx) != 0
        || rte_eth_rx_queue_setup(port, 0, rx, rte_socket_id(), NULL, *pool) != 0
        || rte_eth_tx_queue_setup(port, 0, tx, rte_socket_id(), NULL) != 0 || rte_eth_dev_start(port) != 0)
        fail(options->device, "DPDK cannot start this device");
    struct rte_eth_link link;
    for (double end = now_s() + options->wait_seconds; !is_stopped; rte_delay_ms(1)) {
        if (rte_eth_link_get_nowait(port, &link) == 0 && link.link_status == RTE_ETH_LINK_UP)
            return port;
        if (now_s() > end)
            fail(options->device, "the other side did not come up");
    }
    exit(1);
}
