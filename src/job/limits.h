/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Up to how many users it is well, and when a sweep need not try more.
 */
#ifndef JOB_LIMITS_H
#define JOB_LIMITS_H

#include "job/settings.h"
#include "result/result.h"

/*
 * Find anew for each of the settings' limits the most users with which it is
 * kept, at that point and at all with fewer. Return 0 or -ENOMEM.
 */
int limits_find(const struct settings *settings, struct result *result);

/*
 * Does one of the settings' conditions to stop hold at some point, or has
 * throughput become flat: none of the last three points more than 2 % above
 * the best before them? Return the condition in words, which may be put into
 * `text`, or NULL.
 */
const char *limits_stop(const struct settings *settings,
			const struct result *result,
			char text[CONDITION_TEXT]);

/*
 * Call `tell` for each point at which one of the settings' failures holds, or
 * cannot be judged because its figure is not known, with a clause on it.
 * Return how many there are.
 */
size_t limits_failed(const struct settings *settings,
		     const struct result *result,
		     void (*tell)(void *context, const char *clause),
		     void *context);

#endif
