/*
 * Bytes on a device compared with bytes computed on the host.
 */
#ifndef CLCONST_CLI_VERIFY_H
#define CLCONST_CLI_VERIFY_H

#include "cli/content.h"

/*
 * Reads the content back through clconst_tensor_read, also when the host could
 * look at it, and compares it with what clconst_write makes of the plan. host
 * is a CPU engine. DEVICE_ERROR names the first byte that differs.
 */
cli_outcome cli_verify(const cli_content *content,
                       const clconst_plan *plan,
                       const clconst_engine *host,
                       clconst_error *error);

#endif
