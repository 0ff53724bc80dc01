#include "onnx/symbols.h"

#include "base/alloc.h"

void clconst__symbols_init(clconst__symbols *symbols)
{
    memset(symbols, 0, sizeof(*symbols));
    clconst__names_init(&symbols->names);
}

void clconst__symbols_free(clconst__symbols *symbols)
{
    clconst__names_free(&symbols->names);
    clconst__free(symbols->items);
}

static clconst_status
add(clconst__symbols *symbols, clconst__span name, clconst_error *error)
{
    if (clconst__names_find(&symbols->names, name) != CLCONST__NONE) {
        return CLCONST_OK;
    }
    clconst_status status = clconst__grow(&symbols->items,
                                          &symbols->capacity,
                                          symbols->count + 1,
                                          sizeof(*symbols->items),
                                          error);
    if (status == CLCONST_OK) {
        symbols->items[symbols->count++] = (clconst__symbol){false, 0};
        status = clconst__names_define(
            &symbols->names, name, symbols->count - 1, error);
    }
    return status;
}

clconst_status clconst__symbols_add(clconst__symbols *symbols,
                                    const clconst__declaration *declaration,
                                    clconst_error *error)
{
    clconst_status status = CLCONST_OK;
    size_t rank = declaration->has_rank ? declaration->rank : 0;
    for (size_t i = 0; i < rank && status == CLCONST_OK; i++) {
        if (declaration->dims[i].symbol.size > 0) {
            status =
                add(symbols, clconst__symbol_of(&declaration->dims[i]), error);
        }
    }
    return status;
}

clconst__symbol *clconst__symbols_find(const clconst__symbols *symbols,
                                       clconst__span name)
{
    size_t index = clconst__names_find(&symbols->names, name);
    return index != CLCONST__NONE ? &symbols->items[index] : NULL;
}

bool clconst__symbols_know(const clconst__symbols *symbols,
                           const clconst_dim *dim,
                           int64_t *value)
{
    if (dim->value >= 0) {
        *value = dim->value;
        return true;
    }
    const clconst__symbol *symbol =
        dim->symbol.size > 0
            ? clconst__symbols_find(symbols, clconst__symbol_of(dim))
            : NULL;
    if (symbol == NULL || !symbol->is_bound) {
        return false;
    }
    *value = symbol->value;
    return true;
}
