#include "core/table.h"

clconst__scatter_row clconst__scatter_row_of(const clconst__scatter *scatter,
                                             uint64_t offset,
                                             uint64_t indices_offset,
                                             uint64_t flat_begin)
{
    return (clconst__scatter_row){
        .offset = offset,
        .unit_size = scatter->unit_size,
        .indices_offset = indices_offset,
        .units_offset = indices_offset + scatter->count * sizeof(uint64_t),
        .flat_begin = flat_begin,
        .count = scatter->count,
    };
}
