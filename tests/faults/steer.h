/*
 * The test's side of the layer: proof that it is there, and what tests ask of
 * it.
 */
#ifndef CLCONST_TESTS_STEER_H
#define CLCONST_TESTS_STEER_H

#include "faults/layer.h"

/* The layer's state. steer_require sets it. */
extern layer_state *layer;

/* Ends the program with status 1 unless the loader has put the layer that
 * OPENCL_LAYERS names between itself and the drivers: to skip would hide that
 * nothing is tested. Starts OpenCL in this process. */
void steer_require(void);

const char *steer_entry_name(layer_entry entry);

/* From now on, call number first of the entry point fails, and, if
 * is_forever, all behind it. A second fault joins the first one. */
void steer_fail(layer_entry entry, size_t first, bool is_forever, cl_int code);

/* Ends all faults. The number of calls that they struck. */
size_t steer_stop(void);

/* From now on these answers are given; they are borrowed. */
void steer_lie(const layer_lie *lies, size_t count);

/* From now on new buffers share so many bytes; 0: as many as there are. A lazy
 * driver tells when a kernel is enqueued. */
void steer_limit_memory(size_t size, bool is_lazy);

/* Waits for drivers that free memory a moment later. Fails the test unless new
 * buffers have so many bytes then. */
void steer_await_memory(size_t size);

/* Hides the platforms of other devices: what their drivers do would count too.
 */
void steer_show_only(cl_device_id device);

/* Forgets the fills seen so far. */
void steer_forget_fills(void);

/* References held, by kind. */
typedef struct steer_live {
    long counts[LAYER_KIND_COUNT];
} steer_live;

steer_live steer_get_live(void);

/* Fails the test unless as much is alive as before. */
void steer_assert_live(const steer_live *before, const char *row);

/* Calls so far. */
size_t steer_count(layer_entry entry);

#endif
