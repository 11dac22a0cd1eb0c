/* Shared by the parts of raw-ping: its options and what it measured. */
#ifndef HOMA_RAW_PING_H
#define HOMA_RAW_PING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct options {
    const char *device;
    const char *json;
    bool is_server;
    bool is_stream;
    bool touches;
    unsigned core;
    unsigned size;
    unsigned mtu;
    uint64_t count;
    double seconds;
    double wait_seconds;
};

struct rtt_result {
    uint64_t *samples_ns;
    size_t count;
};

struct stream_result {
    uint64_t packets;
    uint64_t payload_bytes;
    double seconds;
};

void report_rtt(const struct options *options, struct rtt_result *result);
void report_stream(const struct options *options, const struct stream_result *result);

#endif
