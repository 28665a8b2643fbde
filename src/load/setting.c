/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/setting.h"

#include "load/library.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Fill in a setting from its text, which is modified. The earlier settings are
 * those before it in `list`. */
static int parse(char *text, const struct load_setting *list, struct load_setting *setting,
		 struct error *error)
{
	char *sign = strchr(text, '=');
	const struct load_setting *earlier;

	if (sign == NULL || sign == text || sign[1] == '\0' || strchr(sign + 1, '=') != NULL) {
		error_set(
			error,
			"--set: \"%s\" must be one NAME=VALUE, such as bs=4Ki; give --set once per "
			"parameter",
			text);
		return -EINVAL;
	}
	*sign = '\0';
	*setting = (struct load_setting){
		.name = text,
		.value = sign + 1,
		.option = "--set",
	};
	for (earlier = list; earlier < setting; earlier++) {
		if (strcmp(earlier->name, setting->name) != 0)
			continue;
		error_set(error,
			  "--set: %s is given with two values, %s and %s; give only one value",
			  setting->name, earlier->value, setting->value);
		return -EINVAL;
	}
	return 0;
}

int load_settings_parse(const char *const *texts, struct load_setting **settings, size_t *count,
			struct error *error)
{
	size_t all = 0, bytes = 0, length, i;
	struct load_setting *list;
	char *next;
	int rc = 0;

	*settings = NULL;
	*count = 0;
	for (; texts != NULL && texts[all] != NULL; all++)
		bytes += strlen(texts[all]) + 1;
	if (all == 0)
		return 0;
	list = malloc(all * sizeof(*list) + bytes);
	if (list == NULL)
		return error_no_memory(error);
	next = (char *)(list + all);
	for (i = 0; i < all && rc == 0; i++) {
		length = strlen(texts[i]);
		memcpy(next, texts[i], length + 1);
		rc = parse(next, list, &list[i], error);
		next += length + 1;
	}
	if (rc < 0) {
		free(list);
		return rc;
	}
	*settings = list;
	*count = all;
	return 0;
}

const struct load_setting *load_settings_find(const struct load_setting *settings, size_t count,
					      const char *name)
{
	/* The last one counts, as with other options. */
	while (count-- > 0)
		if (strcmp(settings[count].name, name) == 0)
			return &settings[count];
	return NULL;
}

void load_setting_refuse_value(const struct load_setting *setting, const char *reason,
			       struct error *error)
{
	size_t length = strlen(setting->value);

	/* Don't quote the value twice. */
	if (reason[0] == '"' && strncmp(reason + 1, setting->value, length) == 0 &&
	    strncmp(reason + 1 + length, "\": ", 3) == 0)
		reason += length + 4;
	error_set(error, "%s %s=%s: %s", setting->option, setting->name, setting->value, reason);
}

void load_setting_refuse_name(const struct load_setting *setting, const char *path,
			      const char *names, struct error *error)
{
	const char *slash = strrchr(path, '/');
	const char *load = slash != NULL ? slash + 1 : path;
	size_t length = library_name_length(load);

	if (length == 0)
		length = strlen(load);
	if (names[0] == '\0')
		error_set(error,
			  "%s %s=%s: the load %.*s has no parameters (`throng loads' lists the "
			  "loads that have parameters)",
			  setting->option, setting->name, setting->value, (int)length, load);
	else
		error_set(error, "%s %s=%s: the load %.*s has no parameter \"%s\"; expected %s",
			  setting->option, setting->name, setting->value, (int)length, load,
			  setting->name, names);
}
