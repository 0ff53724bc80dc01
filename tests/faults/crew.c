#include "faults/crew.h"

#include <pthread.h>

#include "harness/harness.h"

typedef struct member {
    pthread_barrier_t *barrier;
    crew_body body;
    void *context;
    int number;
    const char *failure;
} member;

static void *run(void *argument)
{
    member *own = argument;
    pthread_barrier_wait(own->barrier);
    own->failure = own->body(own->context, own->number);
    return NULL;
}

void crew_run(crew_body body, void *context)
{
    pthread_barrier_t barrier;
    pthread_t threads[CREW_COUNT];
    member members[CREW_COUNT];
    ck_assert_int_eq(pthread_barrier_init(&barrier, NULL, CREW_COUNT), 0);
    for (int i = 0; i < CREW_COUNT; i++) {
        members[i] = (member){&barrier, body, context, i, NULL};
        ck_assert_int_eq(pthread_create(&threads[i], NULL, run, &members[i]),
                         0);
    }
    for (int i = 0; i < CREW_COUNT; i++) {
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    }
    ck_assert_int_eq(pthread_barrier_destroy(&barrier), 0);
    for (int i = 0; i < CREW_COUNT; i++) {
        ck_assert_msg(
            members[i].failure == NULL, "thread %d: %s", i, members[i].failure);
    }
}
