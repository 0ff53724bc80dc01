#include "backend/cpu/available.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Linux, filesystems/proc.rst: "An estimate of how much memory is available
 * for starting new applications, without swapping." */
static const char path[] = "/proc/meminfo";
static const char key[] = "\nMemAvailable:";

/* The first part of the file, where the key is, as a string. */
static bool read_start(char *text, size_t size)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return false;
    }
    ssize_t count = read(descriptor, text, size - 1);
    close(descriptor);
    text[count > 0 ? count : 0] = '\0';
    return count > 0;
}

bool clconst__available_memory(uint64_t *size)
{
    char text[1024];
    if (!read_start(text, sizeof(text))) {
        return false;
    }
    const char *at = strstr(text, key);
    if (at == NULL) {
        return false;
    }
    at += strlen(key);
    at += strspn(at, " ");
    size_t digits = strspn(at, "0123456789");
    uint64_t kibibytes = 0;
    for (size_t i = 0; i < digits; i++) {
        if (__builtin_mul_overflow(kibibytes, 10, &kibibytes) ||
            __builtin_add_overflow(kibibytes, at[i] - '0', &kibibytes)) {
            return false;
        }
    }
    return digits > 0 && strncmp(at + digits, " kB", 3) == 0 &&
           !__builtin_mul_overflow(kibibytes, 1024, size);
}
