/* syscall and O_PATH are Linux's, not POSIX's. */
#define _GNU_SOURCE

#include "onnx/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Without O_NONBLOCK, opening a pipe would wait for its writer. */
enum { READ_FLAGS = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY };

int clconst__beneath_open_folder(const char *path)
{
    return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int clconst__beneath_open(int folder, const char *path)
{
    struct open_how how = {.flags = READ_FLAGS,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS |
                                      RESOLVE_NO_MAGICLINKS};
    long descriptor = syscall(SYS_openat2, folder, path, &how, sizeof(how));
    /* Sandboxes answer EPERM to calls that they do not know. */
    if (descriptor < 0 && (errno == ENOSYS || errno == EPERM)) {
        return clconst__beneath_open_steps(folder, path);
    }
    return (int)descriptor;
}

/* A folder in a folder. A link to one is ELOOP, as openat2 has it. */
static int open_step(int folder, const char *name)
{
    int descriptor =
        openat(folder, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat info;
    if (descriptor < 0 && errno == ENOTDIR) {
        bool is_link = fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
                       S_ISLNK(info.st_mode);
        errno = is_link ? ELOOP : ENOTDIR;
    }
    return descriptor;
}

static void close_kept(int descriptor)
{
    int code = errno;
    close(descriptor);
    errno = code;
}

int clconst__beneath_open_steps(int folder, const char *path)
{
    int at = folder;
    const char *slash;
    while ((slash = strchr(path, '/')) != NULL) {
        char name[256];
        size_t size = (size_t)(slash - path);
        if (size >= sizeof(name)) {
            errno = ENAMETOOLONG;
            break;
        }
        /* Of two slashes, the second ends the name of the folder itself. */
        memcpy(name, size > 0 ? path : ".", size > 0 ? size : 1);
        name[size > 0 ? size : 1] = '\0';
        int next = open_step(at, name);
        if (at != folder) {
            close_kept(at);
        }
        if (next < 0) {
            return -1;
        }
        at = next;
        path = slash + 1;
    }
    int descriptor =
        slash == NULL ? openat(at, path, READ_FLAGS | O_NOFOLLOW) : -1;
    if (at != folder) {
        close_kept(at);
    }
    return descriptor;
}

int clconst__beneath_open_links(int folder, const char *path)
{
    return openat(folder, path, READ_FLAGS);
}
