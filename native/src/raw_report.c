/* Prints what raw-ping measured: one line for people, and the results array of the homa command as JSON. */
#include "raw_ping.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a;
    uint64_t right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static uint64_t percentile(const struct rtt_result *result, double share)
{
    size_t index = (size_t)(share * (double)(result->count - 1) + 0.5);
    return result->samples_ns[index];
}

static FILE *open_json(const struct options *options)
{
    if (options->json == NULL)
        return NULL;
    if (strcmp(options->json, "-") == 0)
        return stdout;
    FILE *file = fopen(options->json, "w");
    if (file == NULL) {
        perror(options->json);
        exit(1);
    }
    return file;
}

static void close_json(FILE *file)
{
    if (file != NULL && file != stdout)
        fclose(file);
}

/* Prints [value, count] for every value that occurs, in ascending order. */
static void print_histogram(FILE *json, const struct rtt_result *result)
{
    for (size_t i = 0; i < result->count;) {
        size_t start = i;
        while (i < result->count && result->samples_ns[i] == result->samples_ns[start])
            i++;
        fprintf(json, "%s[%" PRIu64 ", %zu]", start == 0 ? "" : ", ", result->samples_ns[start], i - start);
    }
}

void report_rtt(const struct options *options, struct rtt_result *result)
{
    qsort(result->samples_ns, result->count, sizeof(uint64_t), compare);
    uint64_t p50 = percentile(result, 0.5);
    uint64_t p99 = percentile(result, 0.99);
    fprintf(stderr, "raw-ping: %zu round trips of %u B: p50 %" PRIu64 " ns, p99 %" PRIu64 " ns\n", result->count,
        options->size, p50, p99);
    FILE *json = open_json(options);
    if (json == NULL)
        return;
    fprintf(json,
        "{\"command\": \"raw-ping\", \"results\": [{\"name\": \"raw-c\", \"metric\": \"rtt_ns\", \"size\": %u, "
        "\"outstanding\": 1, \"count\": %zu, \"min\": %" PRIu64 ", \"p50\": %" PRIu64 ", \"p90\": %" PRIu64
        ", \"p99\": %" PRIu64 ", \"p999\": %" PRIu64 ", \"max\": %" PRIu64 "}], \"histogram\": [",
        options->size, result->count, result->samples_ns[0], p50, percentile(result, 0.9), p99,
        percentile(result, 0.999), result->samples_ns[result->count - 1]);
    print_histogram(json, result);
    fprintf(json, "]}\n");
    close_json(json);
}

void report_rate(const struct options *options, const struct rate_result *result)
{
    double rate = (double)result->round_trips / result->seconds;
    fprintf(stderr, "raw-ping: %u of %u B on their way: %.2f million round trips per second\n", options->outstanding,
        options->size, rate / 1e6);
    FILE *json = open_json(options);
    if (json == NULL)
        return;
    fprintf(json,
        "{\"command\": \"raw-ping\", \"results\": [{\"name\": \"raw-c\", \"metric\": \"rpc_per_s\", \"size\": %u, "
        "\"outstanding\": %u, \"value\": %.0f}]}\n",
        options->size, options->outstanding, rate);
    close_json(json);
}

void report_stream(const struct options *options, const struct stream_result *result)
{
    double bits = (double)result->payload_bytes * 8.0 / result->seconds;
    double rate = (double)result->packets / result->seconds;
    fprintf(stderr, "raw-ping: stream of %u B packets: %.2f Gbit/s, %.2f Mpps%s\n", options->size, bits / 1e9,
        rate / 1e6, options->touches ? ", payload written and read" : "");
    FILE *json = open_json(options);
    if (json == NULL)
        return;
    fprintf(json,
        "{\"command\": \"raw-ping\", \"results\": [{\"name\": \"raw-c\", \"metric\": \"goodput_bps\", \"size\": %u, "
        "\"value\": %.0f}, {\"name\": \"raw-c\", \"metric\": \"packets_per_s\", \"size\": %u, \"value\": %.0f}]}\n",
        options->size, bits, options->size, rate);
    close_json(json);
}
