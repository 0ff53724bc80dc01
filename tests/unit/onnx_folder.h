/*
 * A folder with a model and its files of external data, and links and other
 * things that are no such files.
 */
#ifndef CLCONST_TESTS_UNIT_ONNX_FOLDER_H
#define CLCONST_TESTS_UNIT_ONNX_FOLDER_H

#include <stdbool.h>

#include "unit/onnx_listing.h"

/* The external_data of a tensor. */
#define ENTRY(key, value) "13:{1:'" key "' 2:'" value "'} "
#define AT(location)      ENTRY("location", location)
#define OFFSET(value)     AT("w.bin") ENTRY("offset", value)

/* How the refusal of a symbolic link ends. */
#define PASSES " is or passes a symbolic link; without follow_links it must not"

/*
 * Enters a new folder that holds, among others, model/w.bin of the 16 bytes
 * 0x00 to 0x0f, and linked, which is a link to model.
 */
void folder_enter(void);

/* Leaves it and removes what is in it. */
void folder_leave(void);

/* Writes a model of this graph. */
void folder_write_model(const char *path, const char *graph);

/* The same, then lists the model and removes it. */
void folder_list(const char *path,
                 const char *graph,
                 bool follow_links,
                 listing_text *list);

#endif
