/* Pools of mbufs. */
#include "homa_dpdk.h"

#include <rte_errno.h>
#include <rte_lcore.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>

/* The stack's own fields; io.homa.memory.Packet knows the place and size. */
#define PRIVATE_BYTES 64
#define CACHE_SIZE 256

uint64_t homa_pool_create(const char *name, uint32_t count, uint32_t data_room, int *error)
{
    /* A cache may hold at most two thirds of the pool; small pools go without. */
    unsigned cache = count >= 4 * CACHE_SIZE ? CACHE_SIZE : 0;
    struct rte_mempool *pool = rte_pktmbuf_pool_create(
        name, count, cache, PRIVATE_BYTES, (uint16_t)(data_room + RTE_PKTMBUF_HEADROOM), (int)rte_socket_id());
    *error = pool == NULL ? -rte_errno : 0;
    return (uint64_t)(uintptr_t)pool;
}

void homa_pool_free(uint64_t pool)
{
    rte_mempool_free((struct rte_mempool *)(uintptr_t)pool);
}

uint32_t homa_pool_available(uint64_t pool)
{
    return rte_mempool_avail_count((struct rte_mempool *)(uintptr_t)pool);
}

struct chunk_list {
    uint64_t *out;
    uint32_t capacity;
    uint32_t count;
};

static void add_chunk(struct rte_mempool *pool, void *opaque, struct rte_mempool_memhdr *memory, unsigned index)
{
    struct chunk_list *list = opaque;
    (void)pool;
    (void)index;
    if (list->count < list->capacity) {
        list->out[2 * list->count] = (uint64_t)(uintptr_t)memory->addr;
        list->out[2 * list->count + 1] = memory->len;
    }
    list->count++;
}

uint32_t homa_pool_chunks(uint64_t pool, uint64_t *out, uint32_t count)
{
    struct chunk_list list = {.out = out, .capacity = count, .count = 0};
    rte_mempool_mem_iter((struct rte_mempool *)(uintptr_t)pool, add_chunk, &list);
    return list.count;
}

int homa_alloc(uint64_t pool, uint64_t *out, uint32_t count)
{
    int result = rte_pktmbuf_alloc_bulk((struct rte_mempool *)(uintptr_t)pool, (struct rte_mbuf **)out, count);
    return result == 0 ? 0 : -ENOMEM;
}

void homa_free(uint64_t *packets, uint32_t count)
{
    rte_pktmbuf_free_bulk((struct rte_mbuf **)packets, count);
}
