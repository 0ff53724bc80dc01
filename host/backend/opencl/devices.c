#include "backend/opencl/devices.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <CL/cl_ext.h>

#include "backend/engine.h"
#include "backend/opencl/status.h"
#include "base/alloc.h"

static clconst_status append(clconst__devices *devices,
                             cl_device_id id,
                             cl_uint platform_index,
                             cl_uint device_index,
                             clconst_error *error)
{
    clconst_status status = clconst__grow(&devices->entries,
                                          &devices->capacity,
                                          devices->count + 1,
                                          sizeof(*devices->entries),
                                          error);
    if (status != CLCONST_OK) {
        return status;
    }
    clconst__device_entry *entry = &devices->entries[devices->count];
    status = clconst__device_read(&entry->device, id, error);
    if (status == CLCONST_OK) {
        snprintf(entry->label,
                 sizeof(entry->label),
                 "opencl:%u.%u",
                 platform_index,
                 device_index);
        devices->count++;
    }
    return status;
}

/* Whether a platform's call was no failure, which is kept otherwise. Having no
 * device is none. */
static bool
gives_devices(clconst__devices *devices, cl_uint platform_index, cl_int code)
{
    clconst_error failure;
    if (code != CL_SUCCESS && code != CL_DEVICE_NOT_FOUND &&
        devices->failure[0] == '\0') {
        (void)clconst__cl_check(code, "clGetDeviceIDs", &failure);
        snprintf(devices->failure,
                 sizeof(devices->failure),
                 "; platform %u: %.100s",
                 platform_index,
                 failure.message);
    }
    return code == CL_SUCCESS;
}

/*
 * A platform that gives no devices is passed over, whatever its code: one
 * broken driver must not hide the others.
 */
static clconst_status append_platform(clconst__devices *devices,
                                      cl_platform_id platform,
                                      cl_uint platform_index,
                                      clconst_error *error)
{
    cl_uint count = 0;
    cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count);
    if (!gives_devices(devices, platform_index, code) || count == 0) {
        return CLCONST_OK;
    }
    cl_device_id *ids;
    clconst_status status = clconst__alloc(count, sizeof(*ids), &ids, error);
    if (status != CLCONST_OK) {
        return status;
    }
    code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids, NULL);
    if (gives_devices(devices, platform_index, code)) {
        for (cl_uint i = 0; i < count && status == CLCONST_OK; i++) {
            status = append(devices, ids[i], platform_index, i, error);
        }
    }
    clconst__free(ids);
    return status;
}

clconst_status clconst__devices_read(clconst__devices *devices,
                                     clconst_error *error)
{
    memset(devices, 0, sizeof(*devices));
    cl_uint count = 0;
    cl_int code = clGetPlatformIDs(0, NULL, &count);
    /* Loaders without a platform disagree: CL_SUCCESS and 0, or this code. */
    if (code == CL_PLATFORM_NOT_FOUND_KHR) {
        return CLCONST_OK;
    }
    clconst_status status = clconst__cl_check(code, "clGetPlatformIDs", error);
    if (status != CLCONST_OK || count == 0) {
        return status;
    }
    cl_platform_id *platforms;
    status = clconst__alloc(count, sizeof(*platforms), &platforms, error);
    if (status != CLCONST_OK) {
        return status;
    }
    status = CLCONST__CL(clGetPlatformIDs(count, platforms, NULL), error);
    for (cl_uint i = 0; i < count && status == CLCONST_OK; i++) {
        status = append_platform(devices, platforms[i], i, error);
    }
    clconst__free(platforms);
    if (status != CLCONST_OK) {
        clconst__devices_clear(devices);
    }
    return status;
}

/* GPUs first, then accelerators, then CPUs. */
static unsigned rank(const clconst__device *device)
{
    if (strcmp(device->type, "gpu") == 0) {
        return 0;
    }
    return strcmp(device->type, "accelerator") == 0 ? 1 : 2;
}

static clconst_status choose_best(const clconst__devices *devices,
                                  const char *text,
                                  size_t *index,
                                  clconst_error *error)
{
    size_t best = devices->count;
    for (size_t i = 0; i < devices->count; i++) {
        const clconst__device *device = &devices->entries[i].device;
        if (clconst__device_is_usable(device) &&
            (best == devices->count ||
             rank(device) < rank(&devices->entries[best].device))) {
            best = i;
        }
    }
    if (best < devices->count) {
        *index = best;
        return CLCONST_OK;
    }
    if (devices->count == 0) {
        return clconst__fail(
            error,
            CLCONST_NO_DEVICE,
            "device is \"%s\"; no OpenCL platform has a device%s",
            text,
            devices->failure);
    }
    const clconst__device_entry *first = &devices->entries[0];
    return clconst__fail(
        error,
        CLCONST_NO_DEVICE,
        "device is \"%s\"; no OpenCL device is usable; of %s, %s",
        text,
        first->label,
        first->device.reason);
}

/* A device that refuses a query has no such string. */
static const char *text_of(const char *string)
{
    return string != NULL ? string : "";
}

/* Whether the text names the device: all of its label, or a piece of its name,
 * in letters of either case. */
static bool names(const char *wanted, const clconst__device_entry *entry)
{
    if (strncmp(wanted, "opencl:", strlen("opencl:")) == 0) {
        return strcmp(wanted, entry->label) == 0;
    }
    size_t length = strlen(wanted);
    const char *name = text_of(entry->device.name);
    while (*name != '\0' && strncasecmp(name, wanted, length) != 0) {
        name++;
    }
    return *name != '\0';
}

clconst_status clconst__devices_choose(const clconst__devices *devices,
                                       const char *text,
                                       size_t *index,
                                       clconst_error *error)
{
    if (strcmp(text, "auto") == 0 || strcmp(text, "opencl") == 0) {
        return choose_best(devices, text, index, error);
    }
    const clconst__device_entry *usable = NULL;
    const clconst__device_entry *unusable = NULL;
    for (size_t i = 0; i < devices->count; i++) {
        const clconst__device_entry *entry = &devices->entries[i];
        if (!names(text, entry)) {
            continue;
        }
        if (!clconst__device_is_usable(&entry->device)) {
            unusable = unusable != NULL ? unusable : entry;
        } else if (usable == NULL) {
            usable = entry;
        } else {
            return clconst__fail(
                error,
                CLCONST_INVALID_ARGUMENT,
                "device is \"%s\"; it fits %s and %s, and must "
                "fit one only",
                text,
                usable->label,
                entry->label);
        }
    }
    if (usable != NULL) {
        *index = (size_t)(usable - devices->entries);
        return CLCONST_OK;
    }
    if (unusable != NULL) {
        return clconst__fail(error,
                             CLCONST_NO_DEVICE,
                             "device is \"%s\"; %s is unusable; %s",
                             text,
                             unusable->label,
                             unusable->device.reason);
    }
    return clconst__fail(
        error,
        CLCONST_NO_DEVICE,
        "device is \"%.100s\"; no OpenCL device has this number or name%s",
        text,
        devices->failure);
}

void clconst__devices_clear(clconst__devices *devices)
{
    for (size_t i = 0; i < devices->count; i++) {
        clconst__device_clear(&devices->entries[i].device);
    }
    clconst__free(devices->entries);
    memset(devices, 0, sizeof(*devices));
}

clconst_status clconst__opencl_list(clconst_device_visitor visit,
                                    void *context,
                                    clconst_error *error)
{
    clconst__devices devices;
    clconst_status status = clconst__devices_read(&devices, error);
    if (status != CLCONST_OK) {
        return status;
    }
    for (size_t i = 0; i < devices.count; i++) {
        const clconst__device *device = &devices.entries[i].device;
        bool is_usable = clconst__device_is_usable(device);
        clconst_device row = {
            .struct_size = sizeof(row),
            .id = devices.entries[i].label,
            .platform = text_of(device->platform),
            .name = text_of(device->name),
            .type = device->type,
            .version = text_of(device->version),
            .global_memory_size = device->global_memory_size,
            .max_allocation_size = device->max_allocation_size,
            .is_usable = is_usable,
            .reason = is_usable ? NULL : device->reason,
        };
        visit(context, &row);
    }
    clconst__devices_clear(&devices);
    return CLCONST_OK;
}
