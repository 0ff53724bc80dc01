#include "cli/interrupt.h"

#include <signal.h>
#include <string.h>

static volatile sig_atomic_t is_pending;

static void note(int number)
{
    (void)number;
    is_pending = 1;
}

void cli_interrupt_catch(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    action.sa_handler = note;
    action.sa_flags = (int)(SA_RESETHAND | SA_RESTART);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
}

bool cli_interrupt_is_pending(void)
{
    return is_pending != 0;
}

cli_outcome cli_interrupt_check(clconst_error *error)
{
    if (!cli_interrupt_is_pending()) {
        return CLI_DONE;
    }
    cli_error_set(error, CLCONST_CANCELLED, 0, "stopped by an interrupt");
    return CLI_STOPPED;
}
