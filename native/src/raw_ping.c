/* raw-ping: the floor. Round trips and streams over a DPDK device with no protocol at all, one pinned process on each side.
 *
 *   raw-ping --role server --device vhost:/tmp/x.sock --core 0 &
 *   raw-ping --role client --device virtio:/tmp/x.sock --core 1 --size 100 --count 100000 --json -
 *
 * A frame has the size that Homa's would have: payload bytes behind 14 + 20 + 56 header bytes. In mode rtt, --size may be more
 * than a frame holds: then as many frames go and come back as a message of that size has packets. Mode rate keeps --outstanding
 * frames on their way; mode stream sends in one direction. */
#include "raw_ping.h"

#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

#define BURST 32
#define HEADER_BYTES 90
/* A second or so of polling: a frame that is not back by then is lost. */
#define GIVE_UP_POLLS 100000000

/* What a frame asks its receiver to do; the first payload byte. */
enum operation { ECHO = 1, DATA = 2, DATA_TOUCHED = 3, END = 4, QUIT = 5 };

volatile sig_atomic_t is_stopped;

static void on_signal(int number)
{
    (void)number;
    is_stopped = 1;
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
    struct rte_mbuf *echoes[BURST];
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
        uint16_t echo_count = 0;
        for (uint16_t i = 0; i < received; i++) {
            struct rte_mbuf *packet = packets[i];
            int operation = is_ours(packet) ? payload(packet)[0] : 0;
            if (operation == ECHO || operation == END) {
                echoes[echo_count++] = packet;
                continue;
            }
            if (operation == DATA_TOUCHED)
                sink = sink + sum_bytes(payload(packet), packet->data_len - HEADER_BYTES);
            rte_pktmbuf_free(packet);
            if (operation == QUIT)
                return;
        }
        send_all(port, echoes, echo_count);
    }
}

/* Sends the frames of a message of `size` bytes and waits until they are back; false when they do not come within a second. */
static bool round_trip(
    const struct options *options, uint16_t port, struct rte_mempool *pool, enum operation operation, unsigned size)
{
    struct rte_mbuf *packets[BURST];
    unsigned room = options->mtu - (HEADER_BYTES - RTE_ETHER_HDR_LEN);
    unsigned expected = (size + room - 1) / room;
    for (unsigned left = size; left > 0;) {
        uint16_t made = 0;
        for (; made < BURST && left > 0; made++) {
            unsigned length = left < room ? left : room;
            packets[made] = make_packet(pool, operation, length);
            if (packets[made] == NULL)
                fail("pool", "out of packets");
            left -= length;
        }
        send_all(port, packets, made);
    }
    unsigned back = 0;
    for (uint64_t polls = 0; back < expected && !is_stopped; polls++) {
        uint16_t received = rte_eth_rx_burst(port, 0, packets, BURST);
        for (uint16_t i = 0; i < received; i++) {
            back += is_ours(packets[i]) && payload(packets[i])[0] == operation;
            rte_pktmbuf_free(packets[i]);
        }
        if (polls > GIVE_UP_POLLS)
            return false;
    }
    return back == expected;
}

static void measure_rtt(const struct options *options, uint16_t port, struct rte_mempool *pool)
{
    struct rtt_result result = {.samples_ns = calloc(options->count, sizeof(uint64_t)), .count = 0};
    if (result.samples_ns == NULL)
        fail("--count", "not enough memory for the samples");
    double ns_per_cycle = 1e9 / (double)rte_get_tsc_hz();
    double start_s = now_s();
    double warm_s = start_s + options->warm_up_seconds;
    while (result.count < options->count && !is_stopped && now_s() < warm_s + options->seconds) {
        bool is_warm = now_s() > warm_s;
        uint64_t start = rte_rdtsc();
        if (round_trip(options, port, pool, ECHO, options->size) && is_warm)
            result.samples_ns[result.count++] = (uint64_t)((double)(rte_rdtsc() - start) * ns_per_cycle);
    }
    if (result.count == 0)
        fail(options->device, "no frame came back");
    report_rtt(options, &result);
    free(result.samples_ns);
}

/* Sends frames that came back again, for a time, and returns how many came. */
static uint64_t bounce(uint16_t port, double seconds)
{
    struct rte_mbuf *packets[BURST];
    uint64_t count = 0;
    double end = now_s() + seconds;
    for (unsigned turn = 1; !is_stopped; turn++) {
        uint16_t received = rte_eth_rx_burst(port, 0, packets, BURST);
        send_all(port, packets, received);
        count += received;
        if ((turn & 63) == 0 && now_s() > end)
            return count;
    }
    return count;
}

static void measure_rate(const struct options *options, uint16_t port, struct rte_mempool *pool)
{
    struct rate_result result = {0, 0};
    struct rte_mbuf *packets[BURST];
    for (unsigned i = 0; i < options->outstanding; i++) {
        struct rte_mbuf *packet = make_packet(pool, ECHO, options->size);
        if (packet == NULL)
            fail("pool", "out of packets");
        send_all(port, &packet, 1);
    }
    bounce(port, options->warm_up_seconds);
    double start = now_s();
    result.round_trips = bounce(port, options->seconds);
    result.seconds = now_s() - start;
    double now = now_s();
    for (unsigned back = 0; back < options->outstanding && !is_stopped && now_s() < now + 1.0;) {
        uint16_t received = rte_eth_rx_burst(port, 0, packets, BURST);
        rte_pktmbuf_free_bulk(packets, received);
        back += received;
    }
    report_rate(options, &result);
}

/* Sends frames that are not answered, for a time, and returns how many. */
static uint64_t pour(const struct options *options, uint16_t port, struct rte_mempool *pool, double seconds)
{
    struct rte_mbuf *packets[BURST];
    enum operation operation = options->touches ? DATA_TOUCHED : DATA;
    uint64_t count = 0;
    for (double end = now_s() + seconds; now_s() < end && !is_stopped;) {
        uint16_t made = 0;
        for (; made < BURST; made++) {
            packets[made] = make_packet(pool, operation, options->size);
            if (packets[made] == NULL)
                break;
            if (options->touches && options->size > 1)
                memset(payload(packets[made]) + 1, (int)count, options->size - 1);
        }
        send_all(port, packets, made);
        count += made;
    }
    return count;
}

static void measure_stream(const struct options *options, uint16_t port, struct rte_mempool *pool)
{
    struct stream_result result = {0, 0, 0};
    pour(options, port, pool, options->warm_up_seconds);
    double start = now_s();
    result.packets = pour(options, port, pool, options->seconds);
    /* The last frame is echoed after all others were received, so the time includes them. */
    if (!round_trip(options, port, pool, END, options->size))
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

static enum mode mode(const char *text)
{
    if (strcmp(text, "rtt") == 0)
        return RTT;
    if (strcmp(text, "rate") == 0)
        return RATE;
    if (strcmp(text, "stream") == 0)
        return STREAM;
    fprintf(stderr, "raw-ping: --mode is '%s'; allowed are rtt, rate and stream\n", text);
    exit(2);
}

static void usage(void)
{
    fprintf(stderr,
        "usage: raw-ping --device SPEC [--role client|server] [--mode rtt|rate|stream] [--touch] [--core N]\n"
        "                [--outstanding N] [--size BYTES] [--mtu BYTES] [--count N] [--seconds S] [--warmup S] [--wait S] [--json FILE|-]\n");
    exit(2);
}

static struct options parse(int argc, char **argv)
{
    static const struct option known[] = {{"device", 1, NULL, 'd'}, {"role", 1, NULL, 'r'}, {"mode", 1, NULL, 'm'}, {"outstanding", 1, NULL, 'o'},
        {"touch", 0, NULL, 't'}, {"core", 1, NULL, 'c'}, {"size", 1, NULL, 's'}, {"mtu", 1, NULL, 'u'},
        {"count", 1, NULL, 'n'}, {"warmup", 1, NULL, 'W'}, {"seconds", 1, NULL, 'S'}, {"wait", 1, NULL, 'w'}, {"json", 1, NULL, 'j'},
        {NULL, 0, NULL, 0}};
    struct options options = {.core = 0,
        .size = 100,
        .mtu = 1500,
        .outstanding = 1,
        .count = 1000000,
        .seconds = 10,
        .warm_up_seconds = 0.1,
        .wait_seconds = 15};
    for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;) {
        switch (option) {
        case 'd': options.device = optarg; break;
        case 'r': options.is_server = strcmp(optarg, "server") == 0; break;
        case 'm': options.mode = mode(optarg); break;
        case 'o': options.outstanding = (unsigned)number("outstanding", optarg, 1, 512); break;
        case 't': options.touches = true; break;
        case 'c': options.core = (unsigned)number("core", optarg, 0, 1023); break;
        case 's': options.size = (unsigned)number("size", optarg, 1, 1000000); break;
        case 'u': options.mtu = (unsigned)number("mtu", optarg, 576, 9000); break;
        case 'n': options.count = (uint64_t)number("count", optarg, 1, 1e8); break;
        case 'S': options.seconds = number("seconds", optarg, 0.01, 600); break;
        case 'W': options.warm_up_seconds = number("warmup", optarg, 0, 600); break;
        case 'w': options.wait_seconds = number("wait", optarg, 0.1, 600); break;
        case 'j': options.json = optarg; break;
        default: usage();
        }
    }
    if (options.device == NULL || optind != argc)
        usage();
    if (options.mode != RTT && options.size + HEADER_BYTES - RTE_ETHER_HDR_LEN > options.mtu) {
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
        switch (options.mode) {
        case RTT: measure_rtt(&options, port, pool); break;
        case RATE: measure_rate(&options, port, pool); break;
        case STREAM: measure_stream(&options, port, pool); break;
        }
        struct rte_mbuf *quit = make_packet(pool, QUIT, 1);
        if (quit != NULL)
            send_all(port, &quit, 1);
    }
    rte_eth_dev_stop(port);
    rte_eth_dev_close(port);
    rte_eal_cleanup();
    return 0;
}
