#include "backend/opencl/binaries.h"

#include <string.h>

#include "backend/opencl/cache.h"
#include "base/alloc.h"

static void append(clconst__bytes *key, const void *data, size_t size)
{
    memcpy(key->data + key->size, data, size);
    key->size += size;
}

/*
 * Everything that decides a binary, each text with its NUL: the library, the
 * build options, the platform, the device, its driver, and the source itself.
 */
static bool make_key(const clconst__device *device,
                     const clconst__source *source,
                     const char *build_options,
                     clconst__bytes *key)
{
    const char *texts[] = {
        clconst_version(),
        build_options,
        device->platform,
        device->platform_version,
        device->name,
        device->version,
        device->driver_version,
        source->name,
    };
    enum { COUNT = sizeof(texts) / sizeof(texts[0]) };
    size_t size = source->size;
    for (size_t i = 0; i < COUNT; i++) {
        size += strlen(texts[i]) + 1;
    }
    if (clconst__alloc(size, 1, &key->data, NULL) != CLCONST_OK) {
        return false;
    }
    key->size = 0;
    for (size_t i = 0; i < COUNT; i++) {
        append(key, texts[i], strlen(texts[i]) + 1);
    }
    append(key, source->text, source->size);
    return true;
}

static cl_program build_binary(cl_context context,
                               const clconst__device *device,
                               const clconst__bytes *binary,
                               const char *build_options)
{
    cl_int binary_code;
    cl_int code;
    const unsigned char *data = binary->data;
    cl_program program = clCreateProgramWithBinary(
        context, 1, &device->id, &binary->size, &data, &binary_code, &code);
    if (program == NULL) {
        return NULL;
    }
    if (code != CL_SUCCESS || binary_code != CL_SUCCESS ||
        clBuildProgram(program, 1, &device->id, build_options, NULL, NULL) !=
            CL_SUCCESS) {
        clReleaseProgram(program);
        return NULL;
    }
    return program;
}

cl_program clconst__binary_load(const char *folder,
                                cl_context context,
                                const clconst__device *device,
                                const clconst__source *source,
                                const char *build_options)
{
    clconst__bytes key;
    if (!make_key(device, source, build_options, &key)) {
        return NULL;
    }
    clconst__bytes binary;
    cl_program program = NULL;
    if (clconst__cache_read(folder, &key, &binary)) {
        program = build_binary(context, device, &binary, build_options);
        clconst__free(binary.data);
    }
    clconst__free(key.data);
    return program;
}

/* The program's binary for the device; a program has one for each device of
 * its context, and none where it is not built. */
static bool get_binary(cl_program program,
                       const clconst__device *device,
                       clconst__bytes *binary)
{
    cl_uint count;
    cl_device_id *ids = NULL;
    size_t *sizes = NULL;
    unsigned char **binaries = NULL;
    bool is_found = false;
    binary->data = NULL;
    if (clGetProgramInfo(
            program, CL_PROGRAM_NUM_DEVICES, sizeof(count), &count, NULL) !=
            CL_SUCCESS ||
        clconst__alloc(count, sizeof(*ids), &ids, NULL) != CLCONST_OK ||
        clconst__alloc(count, sizeof(*sizes), &sizes, NULL) != CLCONST_OK ||
        clconst__alloc(count, sizeof(*binaries), &binaries, NULL) !=
            CLCONST_OK ||
        clGetProgramInfo(
            program, CL_PROGRAM_DEVICES, count * sizeof(*ids), ids, NULL) !=
            CL_SUCCESS ||
        clGetProgramInfo(program,
                         CL_PROGRAM_BINARY_SIZES,
                         count * sizeof(*sizes),
                         sizes,
                         NULL) != CL_SUCCESS) {
        goto cleanup;
    }
    /* Entries that stay NULL are not copied (OpenCL 1.2 specification, section
     * 5.6.7). */
    for (cl_uint i = 0; i < count; i++) {
        if (ids[i] == device->id && sizes[i] > 0 &&
            clconst__alloc(sizes[i], 1, &binary->data, NULL) == CLCONST_OK) {
            binary->size = sizes[i];
            binaries[i] = binary->data;
        }
    }
    is_found =
        binary->data != NULL && clGetProgramInfo(program,
                                                 CL_PROGRAM_BINARIES,
                                                 count * sizeof(*binaries),
                                                 binaries,
                                                 NULL) == CL_SUCCESS;
cleanup:
    if (!is_found) {
        clconst__free(binary->data);
    }
    clconst__free(ids);
    clconst__free(sizes);
    clconst__free(binaries);
    return is_found;
}

void clconst__binary_store(const char *folder,
                           cl_program program,
                           const clconst__device *device,
                           const clconst__source *source,
                           const char *build_options)
{
    clconst__bytes key;
    clconst__bytes binary;
    if (!make_key(device, source, build_options, &key)) {
        return;
    }
    if (get_binary(program, device, &binary)) {
        (void)clconst__cache_write(folder, &key, &binary);
        clconst__free(binary.data);
    }
    clconst__free(key.data);
}
