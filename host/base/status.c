#include <clconst/clconst.h>

#define STRING_OF(x) #x
#define VERSION_OF(major, minor, patch)                                        \
    STRING_OF(major) "." STRING_OF(minor) "." STRING_OF(patch)

const char *clconst_version(void)
{
    return VERSION_OF(
        CLCONST_VERSION_MAJOR, CLCONST_VERSION_MINOR, CLCONST_VERSION_PATCH);
}

const char *clconst_status_name(clconst_status status)
{
    switch (status) {
#define CLCONST_X(name, number)                                                \
    case CLCONST_##name:                                                       \
        return #name;
        CLCONST_STATUS_MAP(CLCONST_X)
#undef CLCONST_X
    }
    return "UNKNOWN";
}
