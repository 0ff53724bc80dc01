#include "cli/bench_chart.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "cli/bench_sizes.h"

/* The plot's place in the picture. */
enum {
    LEFT = 70,
    TOP = 50,
    WIDTH = 560,
    HEIGHT = 340,
    LEGEND_LEFT = LEFT + WIDTH + 20,
    LINE_HEIGHT = 20,
};

/* The decades of GB/s that the plot shows. */
typedef struct rate_axis {
    int log10_min;
    int log10_max;
} rate_axis;

typedef struct line_style {
    const char *path; /* in rows; "limit" is the rows' limit */
    const char *color;
    const char *dashes;
} line_style;

static const line_style styles[] = {
    {"limit", "#000000", "6,4"},
    {"cpu", "#d55e00", "none"},
    {"auto", "#0072b2", "none"},
    {"kernel", "#009e73", "none"},
    {"native", "#cc79a7", "none"},
    {"driver", "#e69f00", "none"},
    {"fillbuffer", "#888888", "2,3"},
};

enum { STYLE_COUNT = sizeof(styles) / sizeof(styles[0]) };

static double x_of(double bytes)
{
    return LEFT + (log2(bytes) - CLI_BENCH_SIZE_LOG2_MIN) * WIDTH /
                      (CLI_BENCH_SIZE_LOG2_MAX - CLI_BENCH_SIZE_LOG2_MIN);
}

static double y_of(const rate_axis *axis, double rate)
{
    return TOP + HEIGHT -
           (log10(rate) - axis->log10_min) * HEIGHT /
               (axis->log10_max - axis->log10_min);
}

static bool is_drawn(const json_t *row)
{
    const char *dtype = json_string_value(json_object_get(row, "dtype"));
    return dtype != NULL && strcmp(dtype, "float") == 0 &&
           json_is_false(json_object_get(row, "fresh")) &&
           json_integer_value(json_object_get(row, "offset")) == 0;
}

/* The row's rate on this line; 0 when it is not of the line, or no result. */
static double rate_of(const json_t *row, const line_style *style)
{
    const char *path = json_string_value(json_object_get(row, "path"));
    if (!is_drawn(row) || path == NULL) {
        return 0;
    }
    /* All rows of one size have the same limit: that of one path serves. */
    if (strcmp(style->path, "limit") == 0) {
        return strcmp(path, "cpu") == 0
                   ? json_number_value(json_object_get(row, "limit_gbps"))
                   : 0;
    }
    bool is_refused = !json_is_null(json_object_get(row, "remark"));
    return strcmp(path, style->path) == 0 && !is_refused
               ? json_number_value(json_object_get(row, "gbps"))
               : 0;
}

/* Whole decades around all rates that are drawn. */
static rate_axis find_decades(const json_t *rows)
{
    rate_axis axis = {-1, 2};
    for (size_t i = 0; i < json_array_size(rows) * STYLE_COUNT; i++) {
        double rate = rate_of(json_array_get(rows, i / STYLE_COUNT),
                              &styles[i % STYLE_COUNT]);
        if (rate > 0) {
            double log10_rate = log10(rate);
            axis.log10_min = (int)fmin(axis.log10_min, floor(log10_rate));
            axis.log10_max = (int)fmax(axis.log10_max, ceil(log10_rate));
        }
    }
    return axis;
}

static void draw_axes(FILE *stream, const rate_axis *axis, const char *device)
{
    fprintf(stream,
            "<text x=\"%d\" y=\"20\" font-size=\"16\">Fills of float, warm: "
            "GB/s over bytes</text>\n<text x=\"%d\" y=\"40\">",
            LEFT,
            LEFT);
    for (const char *c = device; *c != '\0'; c++) {
        bool is_plain = *c >= ' ' && *c <= '~' && strchr("<>&\"'", *c) == NULL;
        fputc(is_plain ? *c : '?', stream);
    }
    fputs("</text>\n", stream);
    for (int i = axis->log10_min; i <= axis->log10_max; i++) {
        double y = y_of(axis, pow(10, i));
        fprintf(stream,
                "<path d=\"M%d %.1fh%d\" stroke=\"#dddddd\"/>\n"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
                LEFT,
                y,
                WIDTH,
                LEFT - 8,
                y + 4,
                pow(10, i));
    }
    static const char *const units[] = {"", " Ki", " Mi", " Gi"};
    for (int i = CLI_BENCH_SIZE_LOG2_MIN; i <= CLI_BENCH_SIZE_LOG2_MAX;
         i += 2) {
        double x = x_of(ldexp(1, i));
        fprintf(
            stream,
            "<path d=\"M%.1f %dv%d\" stroke=\"#dddddd\"/>\n"
            "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d%s</text>\n",
            x,
            TOP,
            HEIGHT,
            x,
            TOP + HEIGHT + 20,
            1 << i % 10,
            units[i / 10]);
    }
}

static void draw_line(FILE *stream,
                      const rate_axis *axis,
                      const json_t *rows,
                      const line_style *style,
                      int number)
{
    int count = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        double rate = rate_of(row, style);
        if (rate > 0) {
            double bytes = json_number_value(json_object_get(row, "bytes"));
            fprintf(stream,
                    "%s%.1f,%.1f",
                    count++ == 0 ? "<polyline points=\"" : " ",
                    x_of(bytes),
                    y_of(axis, rate));
        }
    }
    if (count == 0) {
        return;
    }
    int y = TOP + 10 + number * LINE_HEIGHT;
    fprintf(stream,
            "\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\" "
            "stroke-dasharray=\"%s\"/>\n"
            "<path d=\"M%d %dh24\" stroke=\"%s\" stroke-width=\"2\" "
            "stroke-dasharray=\"%s\"/>\n"
            "<text x=\"%d\" y=\"%d\">%s</text>\n",
            style->color,
            style->dashes,
            LEGEND_LEFT,
            y,
            style->color,
            style->dashes,
            LEGEND_LEFT + 32,
            y + 4,
            style->path);
}

cli_outcome
cli_bench_chart_open(const char *path, FILE **stream, clconst_error *error)
{
    *stream = fopen(path, "w");
    return *stream != NULL
               ? CLI_DONE
               : cli_fail_io(error, errno, "\"%s\" cannot be written", path);
}

cli_outcome cli_bench_chart_write(FILE *stream,
                                  const char *device,
                                  const json_t *rows,
                                  clconst_error *error)
{
    int width = LEGEND_LEFT + 130;
    int height = TOP + HEIGHT + 40;
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
            "height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
            "font-size=\"12\">\n<rect width=\"%d\" height=\"%d\" "
            "fill=\"#ffffff\"/>\n",
            width,
            height,
            width,
            height,
            width,
            height);
    rate_axis axis = find_decades(rows);
    draw_axes(stream, &axis, device);
    for (size_t i = 0; i < STYLE_COUNT; i++) {
        draw_line(stream, &axis, rows, &styles[i], (int)i);
    }
    fputs("</svg>\n", stream);
    bool has_failed = ferror(stream) != 0;
    errno = 0;
    if (fclose(stream) != 0 || has_failed) {
        return cli_fail_io(error, errno, "the chart cannot be written");
    }
    return CLI_DONE;
}
