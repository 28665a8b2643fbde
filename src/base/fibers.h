/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fibers: functions with stacks of their own, which take turns in one thread. A
 * fiber runs until it sleeps. Then another one runs that has been woken, or whose
 * time has come. If there is none, the thread waits for input.
 */
#ifndef BASE_FIBERS_H
#define BASE_FIBERS_H

#include <stdbool.h>
#include <stdint.h>

/* The fibers of a thread. */
struct fibers;

/*
 * Called when all fibers sleep, to wait for input that wakes one of them. Return at
 * `until_ns` (base/clock.h) at the latest; CLOCK_NEVER: there is no limit. It may
 * return early.
 */
typedef void fibers_idle(void *context, uint64_t until_ns);

/* Prepare for up to `max` fibers besides the caller, which becomes one, too. Return
 * NULL if there is no memory. */
struct fibers *fibers_open(unsigned max);

/* All fibers but the caller must have ended. NULL is ignored. */
void fibers_close(struct fibers *fibers);

/* Begin a fiber, which runs when others sleep. Return 0 or -ENOMEM. */
int fibers_begin(struct fibers *fibers, void (*run)(void *context), void *context);

/* Sleep until all other fibers have ended. */
void fibers_join(struct fibers *fibers);

/* Set the function to call when all fibers sleep. By default, the thread sleeps. */
void fibers_on_idle(struct fibers *fibers, fibers_idle *idle, void *context);

/*
 * Let the current fiber sleep until fibers_wake() is called with the same `channel`,
 * which is any address, or until `until_ns`. A `channel` of NULL is never woken.
 * Return false if its time has come.
 */
bool fibers_sleep(struct fibers *fibers, const void *channel, uint64_t until_ns);

/* Wake all fibers that sleep on the channel. They run later. */
void fibers_wake(struct fibers *fibers, const void *channel);

/* Return the time at which the current fiber was woken last, and forget it; 0: it has
 * not been woken since the last call. It may have run later. */
uint64_t fibers_take_woken_ns(struct fibers *fibers);

#endif
