/* raw-ping: the floor. Round trips and streams over a DPDK device with no protocol at all, one pinned process on each side.
 *
 *   raw-ping --role server --device vhost:/tmp/x.sock --core 0 &
 *   raw-ping --role client --device virtio:/tmp/x.sock --core 1 --size 100 --count 100000 --json -
 *
 * A frame has the size that Homa's would have: --size payload bytes behind 14 + 20 + 56 header bytes. */
#include "raw_ping.h"

#include <getopt.h>
#include <inttypes.h>
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

#define BURST 32
#define HEADER_BYTES 90
#define POOL_SIZE 16384
#define DESCRIPTORS 1024

/* What a frame asks its receiver to do; the first payload byte. */
enum operation { ECHO = 1, DATA = 2, DATA_TOUCHED = 3, END = 4, QUIT = 5 };

static volatile sig_atomic_t is_stopped;

static void on_signal(int number)
{
    (void)number;
    is_stopped = 1;
}

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "raw-ping: %s: %s\n", what, why);
    exit(1);
}

static double now_s(void)
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

static void start_eal(const struct options *options)
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

static uint16_t start_port(const struct options *options, struct rte_mempool **pool)
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

static uint8_t *payload(struct rte_mbuf *packet)
{
    return rte_pktmbuf_mtod_offset(packet, uint8_t *, HEADER_BYTES);
}

static struct rte_mbuf *make_packet(struct rte_mempool *pool, enum operation operation, unsigned size)
{
    struct rte_mbuf *packet = rte_pktmbuf_alloc(pool);
    if (packet == NULL)
        return NULL;
    packet->data_len = (uint16_t)(HEADER_BYTES + size);
    packet->pkt_len = packet->data_len;
    struct rte_ether_hdr *ethernet = rte_pktmbuf_mtod(packet, struct rte_ether_hdr *);
    memset(ethernet, 0, HEADER_BYTES);
    memset(&ethernet->dst_addr, 0xff, RTE_ETHER_ADDR_LEN);
    ethernet->src_addr.addr_bytes[0] = 2;
    ethernet->ether_type = rte_cpu_to_be_16(0x88b5);
    payload(packet)[0] = (uint8_t)operation;
    return packet;
}

static bool is_ours(struct rte_mbuf *packet)
{
    return packet->data_len > HEADER_BYTES
        && rte_pktmbuf_mtod(packet, struct rte_ether_hdr *)->ether_type == rte_cpu_to_be_16(0x88b5);
}

static void send_all(uint16_t port, struct rte_mbuf **packets, uint16_t count)
{
    for (uint16_t sent = 0; sent < count && !is_stopped;)
        sent += rte_eth_tx_burst(port, 0, packets + sent, count - sent);
}

/* Reads every byte, as a receiver that uses the message would. */
static uint64_t sum_bytes(const uint8_t *bytes, size_t length)
{
    uint64_t sum = 0;
    uint64_t word;
    size_t i = 0;
    for (; i + sizeof(word) <= length; i += sizeof(word)) {
        memcpy(&word, bytes + i, sizeof(word));
        sum += word;
    }
    for (; i < length; i++)
        sum += bytes[i];
    return sum;
}

static void serve(const struct options *options, uint16_t port)
{
    struct rte_mbuf *packets[BURST];
    volatile uint64_t sink = 0;
    double last = now_s();
    while (!is_stopped) {
        uint16_t received = rte_eth_rx_burst(port, 0, packets, BURST);
        if (received == 0) {
            if (now_s() - last > options->wait_seconds)
                return;
            continue;
        }
        last = now_s();
        for (uint16_t i = 0; i < received; i++) {
            struct rte_mbuf *packet = packets[i];
            int operation = is_ours(packet) ? payload(packet)[0] : 0;
            if (operation == ECHO || operation == END) {
                send_all(port, &packet, 1);
                continue;
            }
            if (operation == DATA_TOUCHED)
                sink = sink + sum_bytes(payload(packet), packet->data_len - HEADER_BYTES);
            rte_pktmbuf_free(packet);
            if (operation == QUIT)
                return;
        }
    }
}

/* Sends one frame and waits until it is back; false when it does not come within a second. */
static bool round_trip(uint16_t port, struct rte_mempool *pool, enum operation operation, unsigned size)
{
    struct rte_mbuf *packets[BURST];
    struct rte_mbuf *packet = make_packet(pool, operation, size);
    if (packet == NULL)
        fail("pool", "out of packets");
    send_all(port, &packet, 1);
    bool is_back = false;
    for (double end = now_s() + 1.0; !is_back && !is_stopped && now_s() < end;) {
        uint16_t received = rte_eth_rx_burst(port, 0, packets, BURST);
        for (uint16_t i = 0; i < received; i++) {
            is_back |= is_ours(packets[i]) && payload(packets[i])[0] == operation;
            rte_pktmbuf_free(packets[i]);
        }
    }
    return is_back;
}

static void measure_rtt(const struct options *options, uint16_t port, struct rte_mempool *pool)
{
    struct rtt_result result = {.samples_ns = calloc(options->count, sizeof(uint64_t)), .count = 0};
    if (result.samples_ns == NULL)
        fail("--count", "not enough memory for the samples");
    double ns_per_cycle = 1e9 / (double)rte_get_tsc_hz();
    uint64_t warm_up = options->count / 10;
    double end = now_s() + options->seconds;
    for (uint64_t i = 0; i < options->count + warm_up && !is_stopped && now_s() < end; i++) {
        uint64_t start = rte_rdtsc();
        if (round_trip(port, pool, ECHO, options->size) && i >= warm_up)
            result.samples_ns[result.count++] = (uint64_t)((double)(rte_rdtsc() - start) * ns_per_cycle);
    }
    if (result.count == 0)
        fail(options->device, "no frame came back");
    report_rtt(options, &result);
    free(result.samples_ns);
}

static void measure_stream(const struct options *options, uint16_t port, struct rte_mempool *pool)
{
    struct stream_result result = {0, 0, 0};
    struct rte_mbuf *packets[BURST];
    enum operation operation = options->touches ? DATA_TOUCHED : DATA;
    double start = now_s();
    while (now_s() < start + options->seconds && !is_stopped) {
        uint16_t made = 0;
        for (; made < BURST; made++) {
            packets[made] = make_packet(pool, operation, options->size);
            if (packets[made] == NULL)
                break;
            if (options->touches && options->size > 1)
                memset(payload(packets[made]) + 1, (int)result.packets, options->size - 1);
        }
        send_all(port, packets, made);
        result.packets += made;
    }
    /* The last frame is echoed after all others were received, so the time includes them. */
    if (!round_trip(port, pool, END, options->size))
        fail(options->device, "the end of the stream was not echoed");
    result.seconds = now_s() - start;
    result.payload_bytes = result.packets * options->size;
    report_stream(options, &result);
}

static double number(const char *option, const char *text, double low, double high)
{
    char *end;
    double value = strtod(text, &end);
    if (*end != '\0' || end == text || value < low || value > high) {
        fprintf(stderr, "raw-ping: --%s is '%s'; allowed are %g to %g\n", option, text, low, high);
        exit(2);
    }
    return value;
}

static void usage(void)
{
    fprintf(stderr,
        "usage: raw-ping --device SPEC [--role client|server] [--mode rtt|stream] [--touch] [--core N]\n"
        "                [--size BYTES] [--mtu BYTES] [--count N] [--seconds S] [--wait S] [--json FILE|-]\n");
    exit(2);
}

static struct options parse(int argc, char **argv)
{
    static const struct option known[] = {{"device", 1, NULL, 'd'}, {"role", 1, NULL, 'r'}, {"mode", 1, NULL, 'm'},
        {"touch", 0, NULL, 't'}, {"core", 1, NULL, 'c'}, {"size", 1, NULL, 's'}, {"mtu", 1, NULL, 'u'},
        {"count", 1, NULL, 'n'}, {"seconds", 1, NULL, 'S'}, {"wait", 1, NULL, 'w'}, {"json", 1, NULL, 'j'},
        {NULL, 0, NULL, 0}};
    struct options options = {.core = 0, .size = 100, .mtu = 1500, .count = 100000, .seconds = 10, .wait_seconds = 15};
    for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;) {
        switch (option) {
        case 'd': options.device = optarg; break;
        case 'r': options.is_server = strcmp(optarg, "server") == 0; break;
        case 'm': options.is_stream = strcmp(optarg, "stream") == 0; break;
        case 't': options.touches = true; break;
        case 'c': options.core = (unsigned)number("core", optarg, 0, 1023); break;
        case 's': options.size = (unsigned)number("size", optarg, 1, 9000 - HEADER_BYTES); break;
        case 'u': options.mtu = (unsigned)number("mtu", optarg, 576, 9000); break;
        case 'n': options.count = (uint64_t)number("count", optarg, 1, 1e8); break;
        case 'S': options.seconds = number("seconds", optarg, 0.01, 600); break;
        case 'w': options.wait_seconds = number("wait", optarg, 0.1, 600); break;
        case 'j': options.json = optarg; break;
        default: usage();
        }
    }
    if (options.device == NULL || optind != argc)
        usage();
    if (options.size + HEADER_BYTES - 14 > options.mtu) {
        fprintf(stderr, "raw-ping: --size %u does not fit into --mtu %u\n", options.size, options.mtu);
        exit(2);
    }
    return options;
}

int main(int argc, char **argv)
{
    struct options options = parse(argc, argv);
    struct rte_mempool *pool = NULL;
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    /* The other side may be gone when the device says goodbye over its socket. */
    signal(SIGPIPE, SIG_IGN);
    start_eal(&options);
    uint16_t port = start_port(&options, &pool);
    if (options.is_server) {
        serve(&options, port);
    } else {
        if (options.is_stream)
            measure_stream(&options, port, pool);
        else
            measure_rtt(&options, port, pool);
        struct rte_mbuf *quit = make_packet(pool, QUIT, 1);
        if (quit != NULL)
            send_all(port, &quit, 1);
    }
    rte_eth_dev_stop(port);
    rte_eth_dev_close(port);
    rte_eal_cleanup();
    return 0;
}
