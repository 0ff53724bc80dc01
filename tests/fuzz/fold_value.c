#include "fuzz/fold_value.h"

#include <inttypes.h>

int64_t fold_take_number(fuzz_input *input)
{
    static const int64_t others[] = {INT64_MAX,
                                     INT64_MIN,
                                     INT64_C(1) << 31,
                                     INT64_C(1) << 40,
                                     INT64_C(1) << 62,
                                     1000,
                                     1025,
                                     65536};
    uint8_t choice = fuzz_take(input);
    return choice >= 128 && choice < 136 ? others[choice - 128]
                                         : (int8_t)choice % 16;
}

/* A TensorProto of one of these dtypes, whose field is that of its values. */
void fold_put_tensor(fuzz_input *input, proto_buffer *tensor)
{
    static const struct {
        int dtype;
        unsigned field;
        const char *kind;
    } forms[] = {{7, 7, ""},
                 {7, 7, ""},
                 {1, 4, "f"},
                 {9, 5, ""},
                 {6, 5, ""},
                 {10, 5, ""},
                 {2, 5, ""},
                 {11, 10, "d"}};
    uint8_t form = fuzz_take(input) % 8;
    unsigned rank = fuzz_take(input);
    /* Lists are what shapes are made of. */
    rank = rank < 64 ? 0 : rank < 224 ? 1 : 2;
    size_t count = 1;
    proto_append(tensor, "2:%d", forms[form].dtype);
    for (unsigned i = 0; i < rank; i++) {
        unsigned dim = fuzz_take(input) % 5;
        count *= dim;
        proto_append(tensor, "1:%u", dim);
    }
    for (size_t i = 0; i < count; i++) {
        int64_t value = fold_take_number(input);
        value = forms[form].dtype == 9   ? value & 1
                : forms[form].dtype == 7 ? value
                                         : value & 0x7f;
        proto_append(tensor,
                     "%u:%s%" PRId64,
                     forms[form].field,
                     forms[form].kind,
                     value);
    }
}

/* The attributes that operators read, and what type they have. */
static const struct {
    const char *name;
    char type;
} attributes[] = {
    {"axis", 'i'},
    {"axes", 'I'},
    {"keepdims", 'i'},
    {"to", 'i'},
    {"perm", 'I'},
    {"mode", 's'},
    {"value", 't'},
    {"dtype", 'i'},
    {"start", 'i'},
    {"end", 'i'},
    {"starts", 'I'},
    {"ends", 'I'},
    {"split", 'I'},
    {"num_outputs", 'i'},
    {"pads", 'I'},
    {"strides", 'I'},
    {"dilations", 'I'},
    {"kernel_shape", 'I'},
    {"output_shape", 'I'},
    {"output_padding", 'I'},
    {"group", 'i'},
    {"ceil_mode", 'i'},
    {"auto_pad", 's'},
    {"equation", 's'},
    {"allowzero", 'i'},
    {"batch_dims", 'i'},
    {"blocksize", 'i'},
    {"upper", 'i'},
    {"k", 'i'},
    {"shape", 'I'},
    {"scales", 'F'},
    {"reduction", 's'},
    {"exclusive", 'i'},
    {"reverse", 'i'},
    {"hidden_size", 'i'},
    {"direction", 's'},
    {"layout", 'i'},
    {"fmod", 'i'},
    {"repeats", 'I'},
    {"noop_with_empty_axes", 'i'},
    {"largest", 'i'},
    {"sorted", 'i'},
    {"transA", 'i'},
    {"transB", 'i'},
    {"direction", 's'},
    {"select_last_index", 'i'},
    {"broadcast", 'i'},
    {"keep_aspect_ratio_policy", 's'},
    {"min", 'f'},
    {"max", 'f'},
    {"sample_size", 'i'},
    {"coordinate_transformation_mode", 's'},
    {"is_causal", 'i'},
    {"q_num_heads", 'i'},
    {"kv_num_heads", 'i'},
    {"stash_type", 'i'},
};

static const char *const strings[] = {
    "constant",   "reflect",    "edge",          "wrap",
    "nearest",    "linear",     "cubic",         "stretch",
    "not_larger", "SAME_UPPER", "SAME_LOWER",    "VALID",
    "ij->ji",     "ij,jk",      "...i,i...->i",  "ii->",
    "add",        "mul",        "max",           "half_pixel",
    "DCR",        "CRD",        "bidirectional", "tf_crop_and_resize",
    "LEFT",       "RIGHT",      "not_smaller",   "ij,jk->ikk"};

void fold_put_attribute(fuzz_input *input, proto_buffer *node)
{
    size_t choice =
        fuzz_take(input) % (sizeof(attributes) / sizeof(attributes[0]));
    proto_buffer attribute = {NULL, 0, 0};
    proto_buffer tensor = {NULL, 0, 0};
    proto_append(&attribute, "1:'%s'", attributes[choice].name);
    char type = attributes[choice].type;
    unsigned count = type == 'I' || type == 'F' ? fuzz_take(input) % 5 : 0;
    switch (type) {
    case 'i':
        proto_append(&attribute, "20:2 3:%" PRId64, fold_take_number(input));
        break;
    case 'f':
        proto_append(&attribute, "20:1 2:f%" PRId64, fold_take_number(input));
        break;
    case 's':
        proto_append(
            &attribute,
            "20:3 4:'%s'",
            strings[fuzz_take(input) % (sizeof(strings) / sizeof(strings[0]))]);
        break;
    case 't':
        fold_put_tensor(input, &tensor);
        proto_append(&attribute, "20:4");
        proto_append_bytes(&attribute, 5, tensor.bytes, tensor.size);
        break;
    default:
        proto_append(&attribute, type == 'I' ? "20:7" : "20:6");
        break;
    }
    for (unsigned i = 0; i < count; i++) {
        proto_append(&attribute,
                     type == 'I' ? "8:%" PRId64 : "7:f%" PRId64,
                     fold_take_number(input));
    }
    proto_append_bytes(node, 5, attribute.bytes, attribute.size);
    proto_free(&tensor);
    proto_free(&attribute);
}
