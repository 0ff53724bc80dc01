/*
 * Symbols: the names that declared dims have in place of numbers, and the
 * numbers that are bound to them.
 */
#ifndef CLCONST_ONNX_SYMBOLS_H
#define CLCONST_ONNX_SYMBOLS_H

#include "onnx/declaration.h"
#include "onnx/names.h"

/* value is meaningless until is_bound. */
typedef struct clconst__symbol {
    bool is_bound;
    int64_t value;
} clconst__symbol;

/* names gives indices of items. */
typedef struct clconst__symbols {
    clconst__names names;
    clconst__symbol *items;
    size_t count;
    size_t capacity;
} clconst__symbols;

void clconst__symbols_init(clconst__symbols *symbols);

void clconst__symbols_free(clconst__symbols *symbols);

/* Adds those that a declaration uses, which must outlive the symbols. */
clconst_status clconst__symbols_add(clconst__symbols *symbols,
                                    const clconst__declaration *declaration,
                                    clconst_error *error);

/* The name that a dim has in place of a number; empty when there is none. */
static inline clconst__span clconst__symbol_of(const clconst_dim *dim)
{
    return (clconst__span){(const uint8_t *)dim->symbol.data, dim->symbol.size};
}

/* The symbol of a name, or NULL when no declaration uses it. */
clconst__symbol *clconst__symbols_find(const clconst__symbols *symbols,
                                       clconst__span name);

/* Whether a dim is a number, or a symbol that is bound to one. */
bool clconst__symbols_know(const clconst__symbols *symbols,
                           const clconst_dim *dim,
                           int64_t *value);

#endif
