/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The conditions --limit, --stop-when and --fail-if: the number of users up to
 * which a limit holds, the end of a sweep, and failures.
 */
#ifndef JOB_LIMITS_H
#define JOB_LIMITS_H

#include "job/settings.h"
#include "result/result.h"

/*
 * Update for each of the settings' limits the max number of users with which it
 * holds, at that point and at all points with fewer users. Return 0 or -ENOMEM.
 */
int limits_find(const struct settings *settings, struct result *result);

/*
 * Check whether one of the settings' stop conditions holds at any point, or
 * whether throughput is flat: none of the last three points is more than 2 %
 * above the best one before them. Return the condition in words (`text` may be
 * used for it), or NULL.
 */
const char *limits_stop(const struct settings *settings,
			const struct result *result,
			char text[CONDITION_TEXT]);

/*
 * Call `report` with a description of each point at which one of the settings'
 * failure conditions holds, or cannot be judged because its figure is unknown.
 * Return the number of such points.
 */
size_t limits_failed(const struct settings *settings,
		     const struct result *result,
		     void (*report)(void *context, const char *clause),
		     void *context);

#endif
