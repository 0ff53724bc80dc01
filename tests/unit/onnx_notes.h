/* What a call noted: how often, and the last note. */
#ifndef CLCONST_TESTS_UNIT_ONNX_NOTES_H
#define CLCONST_TESTS_UNIT_ONNX_NOTES_H

#include <stdio.h>

#include <clconst/clconst.h>

typedef struct onnx_notes {
    int count;
    clconst_note_code code;
    char text[1024];
} onnx_notes;

/* A clconst_note_function whose context is an onnx_notes. */
static inline void
onnx_notes_take(void *context, clconst_note_code code, const char *text)
{
    onnx_notes *notes = context;
    notes->count++;
    notes->code = code;
    snprintf(notes->text, sizeof(notes->text), "%s", text);
}

#endif
