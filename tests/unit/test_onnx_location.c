/*
 * Locations of external data: which files are read, and which are refused. The
 * rules are numbered as in the facts about ONNX.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/harness.h"
#include "onnx/beneath.h"
#include "unit/onnx_folder.h"
#include "unit/onnx_suites.h"

/* A tensor of uint8 with four elements, and the reason why it is refused. An
 * accepted one has the bytes 0x01 to 0x04 in w.bin. */
typedef struct external_row {
    const char *rule;
    const char *entries;
    const char *reason;
    const char *followed; /* the reason with follow_links; "" when accepted */
} external_row;

#define LEGAL(rule, entries)                                                   \
    {                                                                          \
        rule, entries, "", ""                                                  \
    }
#define REFUSED(rule, entries, reason)                                         \
    {                                                                          \
        rule, entries, reason, reason                                          \
    }
#define LINKED(rule, entries, reason)                                          \
    {                                                                          \
        rule, entries, reason, ""                                              \
    }
#define NO_NUMBER "; it must be a decimal number below 2^64"

static const external_row rows[] = {
    LEGAL("a file beside the model", AT("w.bin")),
    LEGAL("a file in a folder", AT("sub/w.bin")),
    LEGAL("8.25: ./x", AT("./w.bin")),
    LEGAL("8.25: two slashes and a dot", AT("sub//./w.bin")),
    LEGAL("8.25: a name with two dots", AT("a..b")),
    REFUSED("no location",
            ENTRY("offset", "0"),
            "external_data has no location; it must have one"),
    REFUSED("8.25: an empty location",
            AT(""),
            "location is empty; it must name a file"),
    REFUSED("8.25: ..",
            AT("../outside.bin"),
            "location \"../outside.bin\" has a component ..; it must stay "
            "below the model's folder"),
    REFUSED("8.25: .. that stays inside",
            AT("sub/../w.bin"),
            "location \"sub/../w.bin\" has a component ..; it must stay below "
            "the model's folder"),
    REFUSED("8.25: .. at the end",
            AT("sub/.."),
            "location \"sub/..\" has a component ..; it must stay below the "
            "model's folder"),
    REFUSED("8.25: absolute",
            AT("/etc/passwd"),
            "location \"/etc/passwd\" is absolute; it must be relative to the "
            "model's folder"),
    REFUSED("8.25: a backslash",
            "13:{1:'location' 2:x735c77} ",
            "location \"s\\\\w\" has a backslash; folders are separated by /"),
    REFUSED("8.25: a drive letter",
            AT("c:w.bin"),
            "location \"c:w.bin\" has a drive letter; it must be relative to "
            "the model's folder"),
    REFUSED("8.25: a drive letter of the other case",
            AT("C:/w.bin"),
            "location \"C:/w.bin\" has a drive letter; it must be relative to "
            "the model's folder"),
    REFUSED("8.25: no drive has a digit",
            AT("1:w.bin"),
            "location \"1:w.bin\" cannot be opened: No such file or "
            "directory"),
    REFUSED("8.25: a name that begins with two dots",
            AT("..b/w.bin"),
            "location \"..b/w.bin\" cannot be opened: No such file or "
            "directory"),
    REFUSED("8.25: a file as the folder that it is in",
            AT("w.bin/."),
            "location \"w.bin/.\" cannot be opened: Not a directory"),
    REFUSED("8.25: a name of one letter",
            AT("c"),
            "location \"c\" cannot be opened: No such file or directory"),
    REFUSED("8.25: a NUL",
            "13:{1:'location' 2:x772e62696e00} ",
            "location \"w.bin\\x00\" has a NUL; paths have none"),
    REFUSED("8.25: a slash at the end",
            AT("w.bin/"),
            "location \"w.bin/\" ends in /; it must name a file"),
    REFUSED("a missing file",
            AT("none.bin"),
            "location \"none.bin\" cannot be opened: No such file or "
            "directory"),
    REFUSED("a missing folder",
            AT("none/w.bin"),
            "location \"none/w.bin\" cannot be opened: No such file or "
            "directory"),
    REFUSED("a file as a folder",
            AT("w.bin/x"),
            "location \"w.bin/x\" cannot be opened: Not a directory"),
    REFUSED("a folder",
            AT("sub"),
            "location \"sub\" is no regular file: Is a directory"),
    REFUSED("the model's folder",
            AT("."),
            "location \".\" is no regular file: Is a directory"),
    REFUSED("a pipe",
            AT("fifo"),
            "location \"fifo\" is no regular file: Invalid argument"),
    LINKED("a link", AT("leaf.bin"), "location \"leaf.bin\"" PASSES),
    LINKED(
        "a link that leads out", AT("out.bin"), "location \"out.bin\"" PASSES),
    LINKED("a link to a folder inside",
           AT("parent/w.bin"),
           "location \"parent/w.bin\"" PASSES),
    LINKED("a file with two names",
           AT("hard.bin"),
           "location \"hard.bin\" has 2 names; without follow_links a file "
           "must have one"),
    LEGAL("8.26: a length that is right", OFFSET("1") ENTRY("length", "4")),
    REFUSED("8.26: a length that is too large",
            AT("w.bin") ENTRY("length", "5"),
            "length is 5; the dims and dtype take 4 bytes"),
    REFUSED("8.26: a length that is too small",
            AT("w.bin") ENTRY("length", "3"),
            "length is 3; the dims and dtype take 4 bytes"),
    LEGAL("the last bytes", OFFSET("12")),
    REFUSED("a byte too few",
            OFFSET("13"),
            "location \"w.bin\" has 16 bytes; 4 from offset 13 on end behind "
            "them"),
    REFUSED("R95: an offset of 64 bits",
            OFFSET("4294967296"),
            "location \"w.bin\" has 16 bytes; 4 from offset 4294967296 on end "
            "behind them"),
    REFUSED("R95: the largest offset",
            OFFSET("18446744073709551615"),
            "location \"w.bin\" has 16 bytes; 4 from offset "
            "18446744073709551615 on end behind them"),
    REFUSED("R95",
            OFFSET("18446744073709551616"),
            "offset is \"18446744073709551616\"" NO_NUMBER),
    REFUSED("R95",
            OFFSET("100000000000000000000000000000"),
            "offset is \"100000000000000000000000000000\"" NO_NUMBER),
    REFUSED("R95", OFFSET("-1"), "offset is \"-1\"" NO_NUMBER),
    REFUSED("R95", OFFSET("1e3"), "offset is \"1e3\"" NO_NUMBER),
    REFUSED("R95", OFFSET(""), "offset is \"\"" NO_NUMBER),
    REFUSED("R95", OFFSET(" 8"), "offset is \" 8\"" NO_NUMBER),
    REFUSED("R95", OFFSET("+8"), "offset is \"+8\"" NO_NUMBER),
    REFUSED(
        "R95", AT("w.bin") ENTRY("length", "4 "), "length is \"4 \"" NO_NUMBER),
    LEGAL("8.28: unknown keys",
          AT("w.bin") ENTRY("basepath", "/") ENTRY("basepath", "..")),
    REFUSED("8.28: a location twice",
            AT("w.bin") AT("w.bin"),
            "external_data has location twice; keys are unique"),
    REFUSED("8.28: an offset twice",
            OFFSET("0") ENTRY("offset", "0"),
            "external_data has offset twice; keys are unique"),
    REFUSED("an empty file",
            AT("empty.bin"),
            "location \"empty.bin\" has 0 bytes; 4 from offset 0 on end behind "
            "them"),
};

START_TEST(locations_follow_the_rules)
{
    const external_row *row = &rows[_i];
    folder_enter();
    for (int i = 0; i < 2; i++) {
        const char *reason = i == 0 ? row->reason : row->followed;
        char graph[512];
        char expected[1024];
        listing_text list;
        snprintf(
            graph, sizeof(graph), "5:{1:4 2:2 14:1 8:'t' %s}", row->entries);
        snprintf(expected,
                 sizeof(expected),
                 "|t|initializer|%s|%s\n",
                 reason[0] == '\0' ? "external|uint8|+[4]" : "||!",
                 reason);
        folder_list("model/m.onnx", graph, i == 1, &list);
        ck_assert_str_eq(list.text, expected);
    }
    folder_leave();
}
END_TEST

/* What kernels without openat2 get has the same answers. */
START_TEST(files_are_opened_step_by_step_with_the_same_answers)
{
    static const char *const paths[] = {
        "w.bin",
        "sub/w.bin",
        "./w.bin",
        "sub//./w.bin",
        "a..b",
        "none.bin",
        "none/w.bin",
        "w.bin/x",
        "leaf.bin",
        "out.bin",
        "parent/w.bin",
        ".",
        "sub",
        "fifo",
    };
    folder_enter();
    int base = clconst__beneath_open_folder("model");
    ck_assert_int_ge(base, 0);
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        errno = 0;
        int opened = clconst__beneath_open(base, paths[i]);
        int code = errno;
        errno = 0;
        int stepped = clconst__beneath_open_steps(base, paths[i]);
        ck_assert_msg((opened < 0) == (stepped < 0) &&
                          (opened >= 0 || code == errno),
                      "%s: %d (%d), by steps %d (%d)",
                      paths[i],
                      opened,
                      code,
                      stepped,
                      errno);
        if (opened >= 0) {
            struct stat a;
            struct stat b;
            ck_assert_int_eq(fstat(opened, &a), 0);
            ck_assert_int_eq(fstat(stepped, &b), 0);
            ck_assert_uint_eq(a.st_ino, b.st_ino);
            close(opened);
            close(stepped);
        }
    }
    char longest[600];
    memset(longest, 'a', sizeof(longest));
    memcpy(longest + sizeof(longest) - 3, "/b", 3);
    ck_assert_int_eq(clconst__beneath_open_steps(base, longest), -1);
    ck_assert_int_eq(errno, ENAMETOOLONG);
    close(base);
    folder_leave();
}
END_TEST

Suite *onnx_location_suite(void)
{
    Suite *suite = suite_create("onnx location");
    TCase *tcase = tcase_create("location");
    tcase_add_loop_test(
        tcase, locations_follow_the_rules, 0, sizeof(rows) / sizeof(rows[0]));
    tcase_add_test(tcase, files_are_opened_step_by_step_with_the_same_answers);
    suite_add_tcase(suite, tcase);
    return suite;
}
