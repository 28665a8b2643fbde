/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "job/preset.h"

#include "base/clock.h"

#include <errno.h>
#include <string.h>

static const struct preset {
	const char *name, *users;
	struct phases phases;
	unsigned repeats;
} presets[] = {
	/* The defaults, without --preset. */
	{NULL, "1", {.warmup_ns = 2 * NS_PER_S, .time_ns = 10 * NS_PER_S}, 1},
	/* Six points, the minimum for a fit, in less than a minute. */
	{"quick", "1,2,4,8,12,16", {.warmup_ns = NS_PER_S, .time_ns = 5 * NS_PER_S}, 1},
	/* NetBench 7.02's Enterprise Disk Mix suite, run twice. */
	{"netbench",
	 "1,4-60+4",
	 {.warmup_ns = 30 * NS_PER_S, .time_ns = 600 * NS_PER_S, .ramp_down_ns = 30 * NS_PER_S},
	 2},
};

enum { PRESETS = sizeof(presets) / sizeof(presets[0]) };

int preset_apply(const char *name, struct settings *settings, struct error *error)
{
	const struct preset *preset = &presets[0];

	if (name != NULL)
		while (++preset < &presets[PRESETS])
			if (strcmp(preset->name, name) == 0)
				break;
	if (preset == &presets[PRESETS]) {
		error_set(error, "--preset: unknown preset \"%s\"; expected quick or netbench",
			  name);
		return -EINVAL;
	}
	settings->phases = preset->phases;
	settings->repeats = preset->repeats;
	return settings_parse_users(preset->users, &settings->user_counts,
				    &settings->user_count_count, error);
}
