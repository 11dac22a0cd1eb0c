/* DPDK's environment: start, devices, threads, time. */
#define ALLOW_EXPERIMENTAL_API
#include "homa_dpdk.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_dev.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_lcore.h>
#include <rte_log.h>

int homa_eal_init(int argc, char **argv, const char *log_path)
{
    cpu_set_t before;
    FILE *log = fopen(log_path[0] == '\0' ? "/dev/null" : log_path, "a");
    if (log == NULL)
        return -errno;
    /* Line by line, so that what DPDK said is there even after a crash. */
    setvbuf(log, NULL, _IOLBF, BUFSIZ);
    rte_openlog_stream(log);
    /* rte_eal_init pins its caller to the first lcore; the JVM's thread must not stay there. */
    sched_getaffinity(0, sizeof(before), &before);
    int parsed = rte_eal_init(argc, argv);
    int error = rte_errno;
    sched_setaffinity(0, sizeof(before), &before);
    return parsed >= 0 ? 0 : -(error == 0 ? EINVAL : error);
}

int homa_eal_cleanup(void)
{
    return rte_eal_cleanup();
}

int homa_device_find(const char *name)
{
    uint16_t port;
    int result = rte_eth_dev_get_port_by_name(name, &port);
    return result == 0 ? (int)port : result;
}

int homa_device_attach(const char *bus, const char *name, const char *args)
{
    int result = rte_eal_hotplug_add(bus, name, args);
    if (result != 0)
        return result;
    result = homa_device_find(name);
    if (result < 0)
        rte_eal_hotplug_remove(bus, name);
    return result;
}

int homa_device_detach(const char *bus, const char *name)
{
    return rte_eal_hotplug_remove(bus, name);
}

int homa_thread_register(void)
{
    if (rte_lcore_id() != LCORE_ID_ANY)
        return 0;
    return rte_thread_register() == 0 ? 0 : -rte_errno;
}

void homa_thread_unregister(void)
{
    rte_thread_unregister();
}

int homa_thread_pin(uint32_t cpu)
{
    cpu_set_t set;
    if (cpu >= CPU_SETSIZE)
        return -EINVAL;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    return sched_setaffinity(0, sizeof(set), &set) == 0 ? 0 : -errno;
}

int homa_thread_affinity(uint64_t *mask, uint32_t words)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) != 0)
        return -errno;
    memset(mask, 0, words * sizeof(uint64_t));
    for (uint32_t cpu = 0; cpu < CPU_SETSIZE && cpu < words * 64; cpu++)
        if (CPU_ISSET(cpu, &set))
            mask[cpu / 64] |= UINT64_C(1) << (cpu % 64);
    return 0;
}

int homa_thread_set_affinity(const uint64_t *mask, uint32_t words)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (uint32_t cpu = 0; cpu < CPU_SETSIZE && cpu < words * 64; cpu++)
        if ((mask[cpu / 64] >> (cpu % 64)) & 1)
            CPU_SET(cpu, &set);
    return sched_setaffinity(0, sizeof(set), &set) == 0 ? 0 : -errno;
}

uint64_t homa_tsc(void)
{
    return rte_rdtsc();
}

uint64_t homa_tsc_hz(void)
{
    return rte_get_tsc_hz();
}
