/*
 * Opening files beneath a folder, so that no link leads out of it. It does not
 * know what the files are for.
 */
#ifndef CLCONST_ONNX_BENEATH_H
#define CLCONST_ONNX_BENEATH_H

#include <stdbool.h>

/* A descriptor of the folder for the calls below, or -1 with errno. */
int clconst__beneath_open_folder(const char *path);

/*
 * Opens a file to read, never waiting, by a relative path without "..". -1
 * with errno; ELOOP when any component is a symbolic link.
 */
int clconst__beneath_open(int folder, const char *path);

/* The same component by component, for kernels without openat2 and sandboxes
 * that forbid it. */
int clconst__beneath_open_steps(int folder, const char *path);

/* The same, but symbolic links are followed, wherever they lead. */
int clconst__beneath_open_links(int folder, const char *path);

#endif
