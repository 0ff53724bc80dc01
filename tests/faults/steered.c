#include "faults/steered.h"

world steered;

void open_steered(void)
{
    world_open(&steered);
}

void close_steered(void)
{
    (void)steer_stop();
    steer_lie(NULL, 0);
    steer_limit_memory(0, false);
    world_destroy_engine(&steered);
    world_close(&steered);
}

void open_engine(clconst_fill_path path)
{
    ck_assert_ok(world_create_engine(&steered, path, NULL, error));
}

clconst_status
enqueue_plan(const clconst_plan *plan, size_t offset, clconst_error *error)
{
    return clconst_enqueue(steered.engine,
                           plan,
                           steered.queue,
                           steered.buffer,
                           offset,
                           0,
                           NULL,
                           NULL,
                           error);
}
