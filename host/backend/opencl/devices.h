/*
 * The OpenCL devices of this machine, in the order of the ICD loader, and the
 * choice among them.
 */
#ifndef CLCONST_BACKEND_OPENCL_DEVICES_H
#define CLCONST_BACKEND_OPENCL_DEVICES_H

#include "backend/opencl/device.h"

/* A device and its number within its platform. */
typedef struct clconst__device_entry {
    clconst__device device;
    char label[32]; /* "opencl:P.D" */
} clconst__device_entry;

typedef struct clconst__devices {
    clconst__device_entry *entries;
    size_t count;
    size_t capacity;
    /* Why the first platform that failed gives no devices; empty for none. */
    char failure[128];
} clconst__devices;

/* A machine without OpenCL has none. On failure the list is cleared. */
clconst_status clconst__devices_read(clconst__devices *devices,
                                     clconst_error *error);

/*
 * The index of the device that the text of clconst_engine_options names. Texts
 * for the CPU engine are not known here. NO_DEVICE when no usable device fits,
 * INVALID_ARGUMENT when two fit a piece of a name.
 */
clconst_status clconst__devices_choose(const clconst__devices *devices,
                                       const char *text,
                                       size_t *index,
                                       clconst_error *error);

void clconst__devices_clear(clconst__devices *devices);

#endif
