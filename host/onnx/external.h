/*
 * External data: the bytes of tensors that lie in files beside the model, or
 * in storage of the caller's own. It knows no tensor.
 */
#ifndef CLCONST_ONNX_EXTERNAL_H
#define CLCONST_ONNX_EXTERNAL_H

#include <clconst/clconst_model.h>

#include "base/storage.h"
#include "onnx/location.h"
#include "onnx/names.h"

/* A file that is mapped. path is on the heap. */
typedef struct clconst__external_file {
    char *path;
    clconst__storage *storage;
    clconst__span bytes;
} clconst__external_file;

/*
 * Where data come from. Without a reader and a folder there are none. Each
 * file is mapped once, as a whole, and its mapping is found again by the
 * location's text without its empty steps; so that what a model can ask for,
 * in memory as well with is_copied, is no more than its folder holds.
 */
typedef struct clconst__external {
    clconst_reader reader;
    char *folder; /* NULL when the model has no path */
    bool follow_links;
    bool is_copied; /* files are read, and not mapped */
    int descriptor; /* of the folder, or -1 before it is opened */
    clconst__names locations;
    clconst__external_file *files;
    size_t file_count;
    size_t file_capacity;
} clconst__external;

/*
 * model_path, which may be NULL, gives the folder as it is written: of a model
 * that is a link, it is the folder of the link. Free external also on failure.
 * INVALID_ARGUMENT for a reader that cannot map but unmap.
 */
clconst_status clconst__external_init(clconst__external *external,
                                      const char *model_path,
                                      const clconst_reader *reader,
                                      bool follow_links,
                                      clconst_error *error);

/*
 * The size bytes at a location, whose text must live as long as external.
 * *storage owns them; it is to be released. IO_ERROR when the file cannot be
 * read, INVALID_MODEL when it lacks the bytes, UNSUPPORTED when data come from
 * nowhere.
 */
clconst_status clconst__external_read(clconst__external *external,
                                      const clconst__location *location,
                                      size_t size,
                                      const void **data,
                                      clconst__storage **storage,
                                      clconst_error *error);

void clconst__external_free(clconst__external *external);

#endif
