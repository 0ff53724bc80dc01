#include "backend/opencl/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/opencl/status.h"
#include "base/alloc.h"

/* A string of a device, or of its platform, and where it goes. */
typedef struct string_row {
    bool is_platforms;
    cl_uint key;
    char **string;
} string_row;

static clconst_status query_string(const clconst__device *device,
                                   const string_row *row,
                                   size_t size,
                                   size_t *needed,
                                   clconst_error *error)
{
    return row->is_platforms
               ? CLCONST__CL(clGetPlatformInfo(device->platform_id,
                                               row->key,
                                               size,
                                               *row->string,
                                               needed),
                             error)
               : CLCONST__CL(
                     clGetDeviceInfo(
                         device->id, row->key, size, *row->string, needed),
                     error);
}

/* NUL-terminated, whatever the driver does. */
static clconst_status get_string(const clconst__device *device,
                                 const string_row *row,
                                 clconst_error *error)
{
    size_t size;
    clconst_status status = query_string(device, row, 0, &size, error);
    if (status == CLCONST_OK) {
        status = clconst__alloc(size + 1, 1, row->string, error);
    }
    if (status == CLCONST_OK) {
        status = query_string(device, row, size, NULL, error);
    }
    return status;
}

static clconst_status get_strings(clconst__device *device, clconst_error *error)
{
    const string_row rows[] = {
        {true, CL_PLATFORM_NAME, &device->platform},
        {true, CL_PLATFORM_VERSION, &device->platform_version},
        {false, CL_DEVICE_NAME, &device->name},
        {false, CL_DEVICE_VERSION, &device->version},
        {false, CL_DRIVER_VERSION, &device->driver_version},
        {false, CL_DEVICE_EXTENSIONS, &device->extensions},
    };
    clconst_status status = CLCONST__CL(clGetDeviceInfo(device->id,
                                                        CL_DEVICE_PLATFORM,
                                                        sizeof(cl_platform_id),
                                                        &device->platform_id,
                                                        NULL),
                                        error);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (status == CLCONST_OK) {
            status = get_string(device, &rows[i], error);
        }
    }
    return status;
}

/* The numbers of a device, by the key and the size of each. */
typedef struct device_numbers {
    cl_device_type type;
    cl_ulong global_memory_size;
    cl_ulong max_allocation_size;
    cl_uint address_bits;
    cl_uint base_alignment_bits;
    cl_bool is_little_endian;
    cl_bool is_available;
    cl_bool has_compiler;
    cl_device_exec_capabilities capabilities;
} device_numbers;

static clconst_status
get_numbers(cl_device_id id, device_numbers *numbers, clconst_error *error)
{
    const struct {
        cl_device_info key;
        size_t size;
        void *value;
    } rows[] = {
        {CL_DEVICE_TYPE, sizeof(numbers->type), &numbers->type},
        {CL_DEVICE_GLOBAL_MEM_SIZE,
         sizeof(numbers->global_memory_size),
         &numbers->global_memory_size},
        {CL_DEVICE_MAX_MEM_ALLOC_SIZE,
         sizeof(numbers->max_allocation_size),
         &numbers->max_allocation_size},
        {CL_DEVICE_ADDRESS_BITS,
         sizeof(numbers->address_bits),
         &numbers->address_bits},
        {CL_DEVICE_MEM_BASE_ADDR_ALIGN,
         sizeof(numbers->base_alignment_bits),
         &numbers->base_alignment_bits},
        {CL_DEVICE_ENDIAN_LITTLE,
         sizeof(numbers->is_little_endian),
         &numbers->is_little_endian},
        {CL_DEVICE_AVAILABLE,
         sizeof(numbers->is_available),
         &numbers->is_available},
        {CL_DEVICE_COMPILER_AVAILABLE,
         sizeof(numbers->has_compiler),
         &numbers->has_compiler},
        {CL_DEVICE_EXECUTION_CAPABILITIES,
         sizeof(numbers->capabilities),
         &numbers->capabilities},
    };
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (status == CLCONST_OK) {
            status = CLCONST__CL(
                clGetDeviceInfo(
                    id, rows[i].key, rows[i].size, rows[i].value, NULL),
                error);
        }
    }
    return status;
}

/* A driver may say that it allocates more than the device has or can address;
 * of what it does not tell, nothing follows. */
static uint64_t find_max_allocation(const device_numbers *numbers)
{
    uint64_t size = numbers->max_allocation_size;
    if (numbers->global_memory_size > 0 && size > numbers->global_memory_size) {
        size = numbers->global_memory_size;
    }
    if (numbers->address_bits > 0 && numbers->address_bits < 64 &&
        size > (uint64_t)1 << numbers->address_bits) {
        size = (uint64_t)1 << numbers->address_bits;
    }
    return size;
}

/* Devices may claim several types. One that claims to be a CPU is one. */
static const char *type_name(cl_device_type type)
{
    if ((type & CL_DEVICE_TYPE_CPU) != 0) {
        return "cpu";
    }
    return (type & CL_DEVICE_TYPE_GPU) != 0 ? "gpu" : "accelerator";
}

/* OpenCL 1.2 specification, CL_DEVICE_VERSION and CL_PLATFORM_VERSION. */
bool clconst__version_reaches(const char *version,
                              unsigned long major,
                              unsigned long minor)
{
    static const char prefix[] = "OpenCL ";
    if (strncmp(version, prefix, strlen(prefix)) != 0) {
        return false;
    }
    char *end;
    unsigned long actual_major = strtoul(version + strlen(prefix), &end, 10);
    if (*end != '.') {
        return false;
    }
    unsigned long actual_minor = strtoul(end + 1, NULL, 10);
    return actual_major > major ||
           (actual_major == major && actual_minor >= minor);
}

static void judge(clconst__device *device, const device_numbers *numbers)
{
    if (!clconst__version_reaches(device->version, 1, 2)) {
        snprintf(device->reason,
                 sizeof(device->reason),
                 "version is \"%s\"; OpenCL 1.2 is needed",
                 device->version);
    } else if (!numbers->is_little_endian) {
        snprintf(device->reason,
                 sizeof(device->reason),
                 "byte order is big-endian; little-endian is needed");
    } else if (!numbers->is_available) {
        snprintf(device->reason,
                 sizeof(device->reason),
                 "availability is false; an available device is needed");
    } else if (!numbers->has_compiler) {
        snprintf(device->reason,
                 sizeof(device->reason),
                 "compiler is missing; kernels are built from source");
    }
}

clconst_status clconst__device_read(clconst__device *device,
                                    cl_device_id id,
                                    clconst_error *error)
{
    memset(device, 0, sizeof(*device));
    device->id = id;
    device_numbers numbers = {0};
    clconst_error failure;
    clconst_status status = get_strings(device, &failure);
    if (status == CLCONST_OK) {
        status = get_numbers(id, &numbers, &failure);
    }
    if (status == CLCONST_OUT_OF_MEMORY) {
        clconst__device_clear(device);
        return clconst__fail_native(
            error, status, failure.native_code, "%s", failure.message);
    }
    device->type = type_name(numbers.type);
    device->global_memory_size = numbers.global_memory_size;
    device->max_allocation_size = find_max_allocation(&numbers);
    device->alignment = numbers.base_alignment_bits / 8;
    device->has_native_kernels =
        (numbers.capabilities & CL_EXEC_NATIVE_KERNEL) != 0;
    if (status == CLCONST_OK) {
        judge(device, &numbers);
    } else {
        snprintf(
            device->reason, sizeof(device->reason), "%.200s", failure.message);
    }
    return CLCONST_OK;
}

bool clconst__device_has_extension(const clconst__device *device,
                                   const char *name)
{
    size_t size = strlen(name);
    for (const char *at = strstr(device->extensions, name); at != NULL;
         at = strstr(at + size, name)) {
        bool begins = at == device->extensions || at[-1] == ' ';
        if (begins && (at[size] == ' ' || at[size] == '\0')) {
            return true;
        }
    }
    return false;
}

bool clconst__device_is_usable(const clconst__device *device)
{
    return device->reason[0] == '\0';
}

void clconst__device_clear(clconst__device *device)
{
    clconst__free(device->platform);
    clconst__free(device->name);
    clconst__free(device->version);
    clconst__free(device->platform_version);
    clconst__free(device->driver_version);
    clconst__free(device->extensions);
    memset(device, 0, sizeof(*device));
}
