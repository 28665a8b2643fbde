/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/measure/presets.h"

#include "cli/completion.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* throng-run(1) has the same lists. */
static const struct preset {
	const char *name, *options;
} presets[] = {
	/* Six points, the minimum for a fit, in less than a minute. */
	{"quick", "-u 1,2,4,8,12,16 --warmup 1 -t 5"},
	/* NetBench 7.02's Enterprise Disk Mix suite, run twice. */
	{"netbench",
	 "-u 1,4-60+4 --warmup 30 -t 600 --ramp-down 30 --repeat 2 --order given --bits "
	 "--table mb_per_s,mean_ms"},
	{"benchmark-factory", "--sweep loadfile=file-read,file-write -u 1,25,50,100 "
			      "--table 'mb_per_s by loadfile with ratio'"},
	{"chariot", "--sweep loadfile=tcp-long,tcp-short -u 10 --bits "
		    "--table 'mb_per_s,ops_per_s,mean_ms of users'"},
	{"byte", "-u 1-6+1 --loops 10 --table 'elapsed_s,user_s,system_s of phases' "
		 "--table 'elapsed_s of phases by users' --sweep loadfile=byte1984,shell1984"},
	{"dt", "-c dt --verify --table 'items,bytes,mb_per_s,items_per_s,mismatches,elapsed_s,"
	       "system_s,user_s of phases'"},
	{"mdtest", "-c mdtest --repeat 3 --table 'items_per_s of phases with repeats'"},
	{"iozone", "-c iozone --sweep record=4Ki,64Ki,1Mi --table 'mb_per_s by phase'"},
};

enum {
	PRESETS = sizeof(presets) / sizeof(presets[0]),
	NAME_BYTES = 32, /* of an axis of a preset */
};

/* Check if the user has set this name by an option with texts NAME=VALUE. */
static bool sets(const struct options *given, const char *option, const char *name)
{
	const char *const *text = options_given(given, option) ? options_texts(given, option)
							       : NULL;
	size_t length = strlen(name);

	for (; text != NULL && *text != NULL; text++)
		if (strncmp(*text, name, length) == 0 && (*text)[length] == '=')
			return true;
	return false;
}

/* Check if the user has chosen other loads. */
static bool has_loads(const struct options *given)
{
	return options_given(given, "loadfile") || sets(given, "sweep", "loadfile");
}

/* Check if the user has chosen what an axis of a preset would vary: loads, or one of
 * their parameters, which other loads may not have. */
static bool axis_gives_way(const struct options *given, const char *text)
{
	char name[NAME_BYTES];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(text, "="), text);
	return has_loads(given) || sets(given, "sweep", name) || sets(given, "set", name);
}

/* Check if the user has given this text of an option. */
static bool has(const struct options *given, const char *option, const char *text)
{
	return options_given(given, option) && strcmp(options_text(given, option), text) == 0;
}

/* Check if a table of a preset does not suit the user's loads. The loads of the preset
 * must follow its tables, or they would count as the user's. */
static bool table_contradicts(const struct options *given, const char *text)
{
	return (strstr(text, "phase") != NULL && has_loads(given)) ||
	       (strstr(text, "loadfile") != NULL && options_given(given, "loadfile"));
}

/* Check if an option of a preset contradicts those of the user. */
static bool contradicts(const struct options *given, const char *name, const char *text)
{
	static const struct {
		const char *name, *to;
	} pairs[] = {
		{"time", "loops"},      {"loops", "time"},
		{"warmup", "time"}, /* a fifth of the time */
		{"loops", "find-rate"}, {"repeat", "find-rate"},
	};
	size_t i;

	for (i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if (strcmp(name, pairs[i].name) == 0 && options_given(given, pairs[i].to))
			return true;
	if (strcmp(name, "verify") == 0)
		return has(given, "data", "zero") || has(given, "data", "pattern");
	return strcmp(name, "table") == 0 && table_contradicts(given, text);
}

/* Check if an option of a preset gives way to those of the user. Each axis gives way by
 * itself, so that the user can add another one. */
static bool gives_way(const struct options *given, const char *name, const char *text)
{
	if (strcmp(name, "sweep") == 0)
		return axis_gives_way(given, text);
	return options_given(given, name) || sets(given, "sweep", name) ||
	       contradicts(given, name, text);
}

/* Refuse a name that is not that of a preset. */
static int refuse(const char *name, struct error *error)
{
	char *list = NULL;
	size_t bytes, i;
	FILE *stream = open_memstream(&list, &bytes);

	if (stream == NULL)
		return error_no_memory(error);
	for (i = 0; i < PRESETS; i++)
		fprintf(stream, "%s%s",
			i == 0            ? ""
			: i + 1 < PRESETS ? ", "
					  : " or ",
			presets[i].name);
	if (fclose(stream) != 0)
		return error_no_memory(error);
	error_set(error, "--preset: unknown preset \"%s\"; expected %s", name, list);
	free(list);
	return -EINVAL;
}

int presets_apply(struct options *given, struct error *error)
{
	const char *name = options_text(given, "preset");
	const struct preset *preset = presets;

	if (name == NULL)
		return 0;
	while (preset < &presets[PRESETS] && strcmp(preset->name, name) != 0)
		preset++;
	if (preset == &presets[PRESETS])
		return refuse(name, error);
	if (options_add_preset(given, preset->options, gives_way) == 0)
		return 0;
	return error_no_memory(error);
}

void presets_offer(const struct completion *completion)
{
	size_t i;

	for (i = 0; i < PRESETS; i++)
		completion_offer(completion, presets[i].name, "", presets[i].options);
}
