/* Shared by the parts of raw-ping: its options and what it measured. */
#ifndef HOMA_RAW_PING_H
#define HOMA_RAW_PING_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rte_mempool;

enum mode { RTT, RATE, STREAM };

struct options {
    const char *device;
    const char *json;
    bool is_server;
    enum mode mode;
    bool touches;
    unsigned core;
    unsigned size;
    unsigned mtu;
    unsigned outstanding;
    uint64_t count;
    double seconds;
    double warm_up_seconds;
    double wait_seconds;
};

struct rtt_result {
    uint64_t *samples_ns;
    size_t count;
};

struct rate_result {
    uint64_t round_trips;
    double seconds;
};

struct stream_result {
    uint64_t packets;
    uint64_t payload_bytes;
    double seconds;
};

/* Set by SIGINT and SIGTERM; every loop ends then. */
extern volatile sig_atomic_t is_stopped;

/* Says what is wrong and ends the process. */
void fail(const char *what, const char *why);

/* Seconds of a clock that starts anywhere. */
double now_s(void);

/* Starts DPDK on the core of the options, without huge pages. */
void start_eal(const struct options *options);

/* Makes and starts the device, waits for its other side, returns the port and the pool of its packets. */
uint16_t start_port(const struct options *options, struct rte_mempool **pool);

void report_rtt(const struct options *options, struct rtt_result *result);
void report_rate(const struct options *options, const struct rate_result *result);
void report_stream(const struct options *options, const struct stream_result *result);

#endif
