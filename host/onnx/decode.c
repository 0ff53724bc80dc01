#include "onnx/decode.h"

#include <inttypes.h>

#include "core/op.h"
#include "onnx/form.h"
#include "onnx/functions.h"
#include "onnx/quote.h"

/* The first version of ConstantOfShape. Constant came with 1. */
enum { CONSTANT_OF_SHAPE_FIRST = 9 };

bool clconst__node_is_constant(const clconst__node *node, clconst_op_kind *kind)
{
    const clconst__schema *schema =
        clconst__is_default_domain(node->domain)
            ? clconst__schema_find_operator(node->op_type)
            : NULL;
    if (schema == NULL) {
        return false;
    }
    *kind = schema->kind;
    return true;
}

/* The version that binds. LENIENT takes ConstantOfShape below opset 9 as 9. */
static clconst_status bind_schema(clconst_op_kind kind,
                                  const clconst__context *context,
                                  const clconst__schema **schema,
                                  clconst_error *error)
{
    if (context->opset < 1) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "there is no import of the default domain");
    }
    *schema = clconst__schema_bind(kind, context->opset);
    if (*schema != NULL) {
        return CLCONST_OK;
    }
    *schema = clconst__schema_bind(kind, CONSTANT_OF_SHAPE_FIRST);
    return clconst__fault(context,
                          error,
                          "opset is %" PRId64 "; ConstantOfShape needs %d",
                          context->opset,
                          CONSTANT_OF_SHAPE_FIRST);
}

static clconst_status check_signature(const clconst__node *node,
                                      clconst_op_kind kind,
                                      clconst_error *error)
{
    if (kind == CLCONST_OP_CONSTANT && node->input.count > 0) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "Constant has %zu inputs; it must have none",
                             node->input.count);
    }
    if (kind == CLCONST_OP_CONSTANT_OF_SHAPE &&
        (node->input.count != 1 || node->input.items[0].size == 0)) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "ConstantOfShape has %zu inputs; it must have "
                             "one, with a name",
                             node->input.count);
    }
    if (node->output.count != 1) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "node has %zu outputs; it must have one",
                             node->output.count);
    }
    return CLCONST_OK;
}

/* The forms that a node's attributes give, by value and by reference. */
typedef struct given_forms {
    const clconst__form_row *row;
    clconst__attribute attribute;
    unsigned seen;
    size_t value_count;
    const clconst__form_row *reference_row;
    clconst__span reference;
} given_forms;

static clconst_status check_reference(const clconst__attribute *attribute,
                                      const clconst__context *context,
                                      clconst_error *error)
{
    if (attribute->ref_attr_name.size > 0 && !context->is_in_function) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "attribute %s refers to %s; only the nodes of a "
                             "function may refer to its attributes",
                             clconst__quote(attribute->name).text,
                             clconst__quote(attribute->ref_attr_name).text);
    }
    return CLCONST_OK;
}

static clconst_status add_value(given_forms *forms,
                                const clconst__form_row *row,
                                const clconst__attribute *attribute)
{
    forms->row = row;
    forms->attribute = *attribute;
    forms->value_count++;
    return CLCONST_OK;
}

/* How many arguments have this name, and the last of them. */
static size_t find_argument(const clconst__argument *arguments,
                            size_t count,
                            clconst__span name,
                            const clconst__argument **argument)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        if (clconst__span_equals(arguments[i].name, name)) {
            *argument = &arguments[i];
            found++;
        }
    }
    return found;
}

/* A reference stands for what the call gives, or else for the default; when
 * there is neither, the attribute is absent (IR.md, "Functions"). */
static clconst_status add_bound(given_forms *forms,
                                const clconst__form_row *row,
                                clconst__span reference,
                                const clconst__arguments *arguments,
                                clconst_error *error)
{
    const clconst__argument *argument = NULL;
    size_t found = find_argument(
        arguments->given, arguments->given_count, reference, &argument);
    if (found == 0) {
        found = find_argument(arguments->defaults,
                              arguments->default_count,
                              reference,
                              &argument);
    }
    if (found == 0) {
        return CLCONST_OK;
    }
    if (found > 1) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "attribute %s of the call is there twice; names "
                             "are unique",
                             clconst__quote(reference).text);
    }
    clconst__attribute attribute = {.bytes = {NULL, 0}};
    clconst_status status =
        clconst__attribute_read(argument->bytes, &attribute, error);
    if (status == CLCONST_OK) {
        status = clconst__attribute_check(&attribute, row->type, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    if (attribute.ref_attr_name.size > 0) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "attribute %s refers to %s; only the nodes of a "
                             "function may refer to its attributes",
                             clconst__quote(attribute.name).text,
                             clconst__quote(attribute.ref_attr_name).text);
    }
    return add_value(forms, row, &attribute);
}

static clconst_status add_attribute(given_forms *forms,
                                    clconst__span bytes,
                                    const clconst__schema *schema,
                                    const clconst__context *context,
                                    clconst_error *error)
{
    clconst__attribute attribute = {0};
    clconst_status status = clconst__attribute_read(bytes, &attribute, error);
    if (status != CLCONST_OK) {
        return status;
    }
    /* The checker of onnx passes over names of this form, so they are not
     * the operator's. */
    if (attribute.name.size >= 2 && memcmp(attribute.name.data, "__", 2) == 0) {
        return CLCONST_OK;
    }
    const clconst__form_row *row = clconst__form_find(attribute.name);
    if (row == NULL || (schema->forms & (unsigned)row->form) == 0) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "attribute %s is not one of %s %" PRId64,
                             clconst__quote(attribute.name).text,
                             schema->op_type,
                             schema->since_version);
    }
    if ((forms->seen & (unsigned)row->form) != 0) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "attribute %s is there twice; names are unique",
                             clconst__quote(attribute.name).text);
    }
    forms->seen |= (unsigned)row->form;
    status = clconst__attribute_check(&attribute, row->type, error);
    if (status == CLCONST_OK) {
        status = check_reference(&attribute, context, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    if (attribute.ref_attr_name.size == 0) {
        return add_value(forms, row, &attribute);
    }
    if (context->arguments != NULL) {
        return add_bound(
            forms, row, attribute.ref_attr_name, context->arguments, error);
    }
    forms->reference_row = row;
    forms->reference = attribute.ref_attr_name;
    return CLCONST_OK;
}

/* A value that each call of the function decides. */
static clconst_status describe_reference(const given_forms *forms,
                                         clconst__content *content,
                                         clconst_error *error)
{
    content->storage = "attribute";
    content->is_reference = true;
    content->dtype = forms->reference_row->dtype;
    content->has_dims = forms->reference_row->is_scalar;
    return clconst__fail(error,
                         CLCONST_UNSUPPORTED,
                         "value is attribute %s of the function's call",
                         clconst__quote(forms->reference).text);
}

static clconst_status make_content(const given_forms *forms,
                                   const clconst__schema *schema,
                                   const clconst__context *context,
                                   clconst__content *content,
                                   clconst_error *error)
{
    bool is_fill = schema->kind == CLCONST_OP_CONSTANT_OF_SHAPE;
    size_t reference_count = forms->reference_row != NULL ? 1 : 0;
    if (forms->value_count > 1 ||
        (!is_fill && forms->value_count + reference_count == 0)) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "%s has %zu values; it must have exactly one",
                             schema->op_type,
                             forms->value_count);
    }
    clconst_status status;
    if (reference_count > 0) {
        status = describe_reference(forms, content, error);
    } else if (forms->value_count > 0) {
        content->storage = "attribute";
        content->attribute_size = forms->attribute.bytes.size;
        content->dtype = forms->row->dtype;
        clconst__making making = {&forms->attribute, schema, context};
        status = forms->row->make(forms->row, &making, content, error);
    } else {
        content->dtype = CLCONST_FLOAT;
        status = clconst_op_create_constant_of_shape(NULL, &content->op, error);
    }
    if (is_fill) {
        /* The dims seen so far are those of the one element. */
        content->storage = "fill";
        content->has_dims = false;
    }
    return status;
}

clconst_status clconst__node_decode(const clconst__node *node,
                                    clconst_op_kind kind,
                                    const clconst__context *context,
                                    clconst__content *content,
                                    clconst_error *error)
{
    const clconst__schema *schema;
    clconst_status status = bind_schema(kind, context, &schema, error);
    if (status == CLCONST_OK) {
        status = check_signature(node, kind, error);
    }
    given_forms forms = {0};
    for (size_t i = 0; i < node->attribute.count && status == CLCONST_OK; i++) {
        status = add_attribute(
            &forms, node->attribute.items[i], schema, context, error);
    }
    if (status == CLCONST_OK) {
        status = make_content(&forms, schema, context, content, error);
    }
    return status;
}

clconst_status clconst__opset_check(const clconst__context *context,
                                    clconst_error *error)
{
    if (context->opset <= CLCONST__OPSET_NEWEST) {
        return CLCONST_OK;
    }
    return clconst__novelty(context,
                            CLCONST_NOTE_VERSION,
                            error,
                            "opset is %" PRId64 "; the newest known is %d",
                            context->opset,
                            CLCONST__OPSET_NEWEST);
}
