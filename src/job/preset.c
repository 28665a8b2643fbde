/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "job/preset.h"

#include "base/clock.h"

#include <errno.h>
#include <string.h>

static const struct preset {
	const char *name, *users;
	uint64_t time_s, warmup_s, ramp_down_s;
	unsigned repeats;
} presets[] = {
	/* The defaults. */
	{NULL, "1", 10, 2, 0, 1},
	/* Six points, which a fit needs, in less than a minute. */
	{"quick", "1,2,4,8,12,16", 5, 1, 0, 1},
	/* NetBench 7.02's Enterprise Disk Mix suite, run twice. */
	{"netbench", "1,4-60+4", 600, 30, 30, 2},
};

enum { PRESETS = sizeof(presets) / sizeof(presets[0]) };

int preset_apply(const char *name, struct settings *settings,
		 struct error *error)
{
	const struct preset *preset = &presets[0];

	if (name != NULL)
		while (++preset < &presets[PRESETS])
			if (strcmp(preset->name, name) == 0)
				break;
	if (preset == &presets[PRESETS]) {
		error_set(error, "--preset: unknown preset \"%s\"; expected "
			  "quick or netbench", name);
		return -EINVAL;
	}
	settings->time_ns = preset->time_s * NS_PER_S;
	settings->warmup_ns = preset->warmup_s * NS_PER_S;
	settings->ramp_down_ns = preset->ramp_down_s * NS_PER_S;
	settings->repeats = preset->repeats;
	return settings_parse_users(preset->users, &settings->user_counts,
				    &settings->user_count_count, error);
}
