/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "job/preset.h"

#include "base/clock.h"

#include <errno.h>
#include <string.h>

static const struct plan {
	const char *name, *users;
	uint64_t time_s, warmup_s, ramp_down_s;
	unsigned repeats;
} plans[] = {
	/* Without a plan. */
	{NULL, "1", 10, 2, 0, 1},
	/* Six points, as a fit needs them, in less than a minute. */
	{"quick", "1,2,4,8,12,16", 5, 1, 0, 1},
	/* NetBench 7.02's Enterprise Disk Mix suite, run twice. */
	{"netbench", "1,4-60+4", 600, 30, 30, 2},
};

enum { PLANS = sizeof(plans) / sizeof(plans[0]) };

int plan_apply(const char *name, struct settings *settings,
	       struct error *error)
{
	const struct plan *plan = &plans[0];

	if (name != NULL)
		while (++plan < &plans[PLANS])
			if (strcmp(plan->name, name) == 0)
				break;
	if (plan == &plans[PLANS]) {
		error_set(error, "--plan: \"%s\" is not quick or netbench",
			  name);
		return -EINVAL;
	}
	settings->time_ns = plan->time_s * NS_PER_S;
	settings->warmup_ns = plan->warmup_s * NS_PER_S;
	settings->ramp_down_ns = plan->ramp_down_s * NS_PER_S;
	settings->repeats = plan->repeats;
	return settings_parse_users(plan->users, &settings->user_counts,
				    &settings->user_count_count, error);
}
