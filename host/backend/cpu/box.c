#include "backend/cpu/box.h"

#include "backend/cpu/fill.h"

/* A part's least size: below it a thread costs more than it saves. Parts are
 * more than threads, which may begin late. */
#define PART_SIZE ((size_t)2 << 20)

/* A box on its way to memory, cut between rows. */
typedef struct box_job {
    const clconst__box *box;
    const clconst__pattern *pattern;
    uint8_t *dst;
    size_t part_row_count;
} box_job;

static void write_part(void *context, size_t index)
{
    const box_job *job = context;
    const clconst__box *box = job->box;
    size_t begin = index * job->part_row_count;
    size_t rest = box->row_count - begin;
    size_t count = rest < job->part_row_count ? rest : job->part_row_count;
    for (size_t row = begin; row < begin + count; row++) {
        clconst__cpu_fill(job->dst + clconst__box_row_offset(box, row),
                          box->row_size,
                          job->pattern,
                          CLCONST__STORES_WIDE);
    }
}

void clconst__cpu_write_box(const clconst__box *box,
                            const clconst__pattern *pattern,
                            uint8_t *dst,
                            const clconst__workers *workers)
{
    size_t row_count = (PART_SIZE - 1) / box->row_size + 1;
    box_job job = {box, pattern, dst, row_count};
    clconst__parallel_run(workers,
                          (box->row_count - 1) / job.part_row_count + 1,
                          write_part,
                          &job);
}
