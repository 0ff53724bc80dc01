/*
 * What may be bound beside values: symbols and shapes. That a dim is known
 * shows where it is the length of a fill's shape, and so the rank of the fill.
 */
#include <stddef.h>
#include <string.h>

#include <clconst/clconst_model.h>

#include "harness/harness.h"
#include "harness/proto.h"
#include "unit/onnx_listing.h"
#include "unit/onnx_suites.h"

/* A symbol, a shape or a value; the number of what is bound is that of the
 * names. */
typedef struct bound {
    const char *name;
    int64_t dims[2];
    size_t rank;
} bound;

enum { BOUND_MAX = 2 };

/* Either what is listed, or why the bindings are refused. */
typedef struct symbols_row {
    const char *fact;
    const char *graph;
    bound symbols[BOUND_MAX];
    bound shapes[BOUND_MAX];
    bound values[BOUND_MAX];
    const char *listed;
    const char *message;
} symbols_row;

/* Inputs: s is a shape of unknown length, x has the dims [n,3], u no shape;
 * and a fill of s. */
#define S      "11:{1:'s' 2:{1:{1:7 2:{1:{2:'n'}}}}} "
#define X      "11:{1:'x' 2:{1:{1:7 2:{1:{2:'n'} 1:{1:3}}}}} "
#define U      "11:{1:'u'} "
#define FILL   "1:{4:'ConstantOfShape' 1:'s' 2:'f'} "
#define FILL_U "1:{4:'ConstantOfShape' 1:'u' 2:'f'} "

#define LISTED(dims, name)                                                     \
    "|f|ConstantOfShape|fill|float|?" dims                                     \
    "|shape of \"f\" needs the value of \"" name "\"\n"

#define SYMBOL(name, value)                                                    \
    {                                                                          \
        name, {value}, 0                                                       \
    }
#define LIST1(name, a)                                                         \
    {                                                                          \
        name, {a}, 1                                                           \
    }
#define LIST2(name, a, b)                                                      \
    {                                                                          \
        name, {a, b}, 2                                                        \
    }

static const symbols_row accepted_rows[] = {
    {.fact = "a symbol stands for its number",
     .graph = S FILL,
     .symbols = {SYMBOL("n", 2)},
     .listed = LISTED("[?,?]", "s")},
    {.fact = "a symbol of 0 leaves nothing open",
     .graph = S FILL,
     .symbols = {SYMBOL("n", 0)},
     .listed = "|f|ConstantOfShape|fill|float|+[]|\n"},
    {.fact = "a symbol of another input",
     .graph = S X FILL,
     .symbols = {SYMBOL("n", 1)},
     .listed = LISTED("[?]", "s")},
    {.fact = "a symbol of an output",
     .graph = S FILL "12:{1:'f' 2:{1:{1:1 2:{1:{2:'m'}}}}} ",
     .symbols = {SYMBOL("m", 5)},
     .listed = LISTED("", "s") "output|f|?|shape of \"f\" needs the value "
                               "of \"s\"\n"},
    {.fact = "a symbol of a subgraph's input",
     .graph = "1:{4:'Loop' 3:'l' 5:{1:'body' 20:5 6:{11:{1:'t' 2:{1:{1:7 "
              "2:{1:{2:'k'}}}}} 1:{4:'ConstantOfShape' 1:'t' 2:'f'}}}} ",
     .symbols = {SYMBOL("k", 2)},
     .listed =
         "l.body|f|ConstantOfShape|fill|float|?[?,?]|shape of \"f\" needs "
         "\"t\", an input of a subgraph\n"},
    {.fact = "a bound shape",
     .graph = U FILL_U,
     .shapes = {LIST1("u", 3)},
     .listed = LISTED("[?,?,?]", "u")},
    {.fact = "a bound shape of rank 2 is no shape of a fill's input",
     .graph = U FILL_U,
     .shapes = {LIST2("u", 3, 1)},
     .listed = "|f|ConstantOfShape|fill|float|!|shape of \"f\" has rank 2; "
               "it must be 1\n"},
    {.fact = "a bound shape binds the symbol of its dim",
     .graph = S FILL,
     .shapes = {LIST1("s", 2)},
     .listed = LISTED("[?,?]", "s")},
    {.fact = "of other inputs, too",
     .graph = S X FILL,
     .shapes = {LIST2("x", 2, 3)},
     .listed = LISTED("[?,?]", "s")},
    {.fact = "a bound value does",
     .graph = S X FILL,
     .values = {LIST2("x", 2, 3)},
     .listed = LISTED("[?,?]", "s")},
    {.fact = "symbol, shape and value that agree",
     .graph = S X FILL,
     .symbols = {SYMBOL("n", 2)},
     .shapes = {LIST2("x", 2, 3), LIST1("s", 2)},
     .values = {LIST2("x", 2, 3)},
     .listed = LISTED("[?,?]", "s")},
    {.fact = "of two inputs with one name the first is meant",
     .graph = U "11:{1:'u' 2:{1:{1:7 2:{1:{1:1}}}}} ",
     .shapes = {LIST1("u", 2)},
     .listed = ""},
};

static const symbols_row refused_rows[] = {
    {.fact = "an unknown symbol",
     .graph = S X,
     .symbols = {SYMBOL("m", 2)},
     .message = "symbol \"m\" is in no shape that an input or output declares"},
    {.fact = "the empty symbol, which no dim has",
     .graph = "11:{1:'s' 2:{1:{1:7 2:{1:{2:''}}}}} ",
     .symbols = {SYMBOL("", 2)},
     .message = "symbol \"\" is in no shape that an input or output declares"},
    {.fact = "a symbol twice",
     .graph = S X,
     .symbols = {SYMBOL("n", 2), SYMBOL("n", 2)},
     .message = "symbol \"n\" is bound twice; it has one value"},
    {.fact = "a negative symbol",
     .graph = S X,
     .symbols = {SYMBOL("n", -1)},
     .message = "symbol \"n\" is -1; dims must be >= 0"},
    {.fact = "a shape of no input",
     .graph = S FILL,
     .shapes = {LIST1("f", 2)},
     .message = "binding \"f\" is no input of the model"},
    {.fact = "a shape twice",
     .graph = U,
     .shapes = {LIST1("u", 2), LIST1("u", 2)},
     .message = "shape of input \"u\" is bound twice; it has one"},
    {.fact = "a negative dim",
     .graph = U,
     .shapes = {LIST2("u", 2, -3)},
     .message = "shape of input \"u\" has dim 1 of -3; dims must be >= 0"},
    {.fact = "another rank than the declared one",
     .graph = X,
     .shapes = {LIST1("x", 2)},
     .message = "shape of input \"x\" has rank 1; it must be 2"},
    {.fact = "another dim than the declared one",
     .graph = X,
     .shapes = {LIST2("x", 2, 4)},
     .message = "shape of input \"x\" has dim 1 of 4; it must be 3"},
    {.fact = "another dim than the symbol's",
     .graph = X,
     .symbols = {SYMBOL("n", 2)},
     .shapes = {LIST2("x", 3, 3)},
     .message = "shape of input \"x\" has dim 0 of 3; symbol \"n\" is 2"},
    {.fact = "two dims for one symbol",
     .graph = S X,
     .shapes = {LIST1("s", 2), LIST2("x", 3, 3)},
     .message = "shape of input \"x\" has dim 0 of 3; symbol \"n\" is 2"},
    {.fact = "two dims for one symbol in one shape",
     .graph = "11:{1:'y' 2:{1:{2:{1:{2:'n'} 1:{2:'n'}}}}} ",
     .shapes = {LIST2("y", 2, 3)},
     .message = "shape of input \"y\" has dim 1 of 3; symbol \"n\" is 2"},
    {.fact = "F4: a value of another rank than the declared one",
     .graph = X,
     .values = {LIST1("x", 3)},
     .message = "value of input \"x\" has rank 1; it must be 2"},
    {.fact = "F4: a value of other dims than the declared ones",
     .graph = X,
     .values = {LIST2("x", 2, 4)},
     .message = "value of input \"x\" has dim 1 of 4; it must be 3"},
    {.fact = "F4: a value of other dims than the bound shape",
     .graph = U,
     .shapes = {LIST1("u", 3)},
     .values = {LIST1("u", 2)},
     .message = "value of input \"u\" has dim 0 of 2; it must be 3"},
    {.fact = "F4: a value of another rank than the bound shape",
     .graph = U,
     .shapes = {LIST2("u", 3, 1)},
     .values = {LIST1("u", 3)},
     .message = "value of input \"u\" has rank 1; it must be 2"},
    {.fact = "F4: a value that contradicts a symbol",
     .graph = S,
     .symbols = {SYMBOL("n", 3)},
     .values = {LIST1("s", 2)},
     .message = "value of input \"s\" has dim 0 of 2; symbol \"n\" is 3"},
    {.fact = "F4: a value of another dtype than the declared one",
     .graph = "11:{1:'s' 2:{1:{1:6}}} ",
     .values = {LIST1("s", 2)},
     .message = "value of input \"s\" has dtype int64; it must be int32"},
    {.fact = "F4: a value where no dtype is declared that is one",
     .graph = "11:{1:'s' 2:{1:{1:77}}} ",
     .values = {LIST1("s", 2)},
     .message = "value of input \"s\" has dtype int64; the declared dtype 77 "
                "is unknown"},
};

static size_t count_of(const bound *items)
{
    size_t count = 0;
    while (count < BOUND_MAX && items[count].name != NULL) {
        count++;
    }
    return count;
}

/* The row's bindings, with values of int64 zeros. */
typedef struct row_bindings {
    clconst_symbol_value symbols[BOUND_MAX];
    clconst_input_shape shapes[BOUND_MAX];
    clconst_input_value values[BOUND_MAX];
    clconst_bindings bindings;
} row_bindings;

static void bind_row(row_bindings *made, const symbols_row *row)
{
    static const int64_t zeros[16];
    made->bindings = (clconst_bindings){
        .struct_size = sizeof(made->bindings),
        .values = made->values,
        .value_count = count_of(row->values),
        .symbols = made->symbols,
        .symbol_count = count_of(row->symbols),
        .shapes = made->shapes,
        .shape_count = count_of(row->shapes),
    };
    for (size_t i = 0; i < BOUND_MAX; i++) {
        const bound *symbol = &row->symbols[i];
        const bound *shape = &row->shapes[i];
        const bound *value = &row->values[i];
        made->symbols[i] =
            (clconst_symbol_value){symbol->name, symbol->dims[0]};
        made->shapes[i] =
            (clconst_input_shape){shape->name, {shape->dims, shape->rank}};
        size_t size = sizeof(zeros[0]);
        for (size_t j = 0; j < value->rank; j++) {
            size *= (size_t)value->dims[j];
        }
        ck_assert_uint_le(size, sizeof(zeros));
        made->values[i] = (clconst_input_value){
            value->name,
            {CLCONST_INT64, {value->dims, value->rank}, zeros, size}};
    }
}

START_TEST(what_is_bound_is_known)
{
    const symbols_row *row = &accepted_rows[_i];
    proto_buffer buffer = {NULL, 0, 0};
    row_bindings made;
    model_append(&buffer, row->graph, "");
    bind_row(&made, row);
    static listing_text list;
    listing_make(&list, &buffer, &made.bindings);
    ck_assert_msg(strcmp(list.text, row->listed) == 0,
                  "%s: %s instead of %s",
                  row->fact,
                  list.text,
                  row->listed);
    proto_free(&buffer);
}
END_TEST

START_TEST(what_fits_nothing_is_refused)
{
    const symbols_row *row = &refused_rows[_i];
    proto_buffer buffer = {NULL, 0, 0};
    row_bindings made;
    model_append(&buffer, row->graph, "");
    bind_row(&made, row);
    clconst_model *model;
    clconst_resolution *resolution;
    ck_assert_ok(
        clconst_model_parse(buffer.bytes, buffer.size, NULL, &model, error));
    ck_assert_fails(
        clconst_resolution_create(model, &made.bindings, &resolution, error),
        CLCONST_INVALID_ARGUMENT,
        row->message);
    clconst_model_destroy(model);
    proto_free(&buffer);
}
END_TEST

static clconst_status resolve(const clconst_model *model,
                              const clconst_bindings *bindings,
                              clconst_error *error)
{
    clconst_resolution *resolution;
    return clconst_resolution_create(model, bindings, &resolution, error);
}

START_TEST(lists_and_names_are_required)
{
    static const int64_t dims[1025];
    proto_buffer buffer = {NULL, 0, 0};
    clconst_model *model;
    model_append(&buffer, U, "");
    ck_assert_ok(
        clconst_model_parse(buffer.bytes, buffer.size, NULL, &model, error));
    const clconst_symbol_value symbol = {NULL, 1};
    clconst_input_shape shape = {NULL, {NULL, 1}};
    clconst_bindings bindings = CLCONST_BINDINGS_INIT;
    bindings.symbol_count = 1;
    ck_assert_fails(resolve(model, &bindings, error),
                    CLCONST_INVALID_ARGUMENT,
                    "symbols is NULL; 1 symbols are bound");
    bindings.symbols = &symbol;
    ck_assert_fails(resolve(model, &bindings, error),
                    CLCONST_INVALID_ARGUMENT,
                    "name of a symbol is NULL; it is required");
    bindings.symbol_count = 0;
    bindings.shape_count = 1;
    ck_assert_fails(resolve(model, &bindings, error),
                    CLCONST_INVALID_ARGUMENT,
                    "shapes is NULL; 1 shapes are bound");
    bindings.shapes = &shape;
    ck_assert_fails(resolve(model, &bindings, error),
                    CLCONST_INVALID_ARGUMENT,
                    "name of a binding is NULL; it is required");
    shape.name = "u";
    ck_assert_fails(resolve(model, &bindings, error),
                    CLCONST_INVALID_ARGUMENT,
                    "dims of the shape of input \"u\" is NULL; rank 1 needs "
                    "dims");
    shape.shape = (clconst_shape){dims, 1025};
    ck_assert_fails(resolve(model, &bindings, error),
                    CLCONST_TOO_LARGE,
                    "shape of input \"u\" has rank 1025; it must be at most "
                    "1024");
    clconst_model_destroy(model);
    proto_free(&buffer);
}
END_TEST

/* A caller that was compiled before there were symbols and shapes. */
START_TEST(a_shorter_struct_binds_values_alone)
{
    proto_buffer buffer = {NULL, 0, 0};
    model_append(&buffer, U FILL_U, "");
    clconst_input_shape shape = {"nowhere", {NULL, 0}};
    clconst_bindings bindings = CLCONST_BINDINGS_INIT;
    bindings.struct_size = offsetof(clconst_bindings, symbols);
    bindings.shapes = &shape;
    bindings.shape_count = 1;
    static listing_text list;
    listing_make(&list, &buffer, &bindings);
    ck_assert_str_eq(list.text, LISTED("", "u"));
    proto_free(&buffer);
}
END_TEST

Suite *onnx_symbols_suite(void)
{
    Suite *suite = suite_create("onnx symbols");
    TCase *tcase = tcase_create("symbols");
    tcase_add_loop_test(tcase,
                        what_is_bound_is_known,
                        0,
                        sizeof(accepted_rows) / sizeof(accepted_rows[0]));
    tcase_add_loop_test(tcase,
                        what_fits_nothing_is_refused,
                        0,
                        sizeof(refused_rows) / sizeof(refused_rows[0]));
    tcase_add_test(tcase, lists_and_names_are_required);
    tcase_add_test(tcase, a_shorter_struct_binds_values_alone);
    suite_add_tcase(suite, tcase);
    return suite;
}
