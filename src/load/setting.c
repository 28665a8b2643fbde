/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/setting.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Fill in a setting from its text, which is modified. The earlier settings are
 * those before it in `list`. */
static int parse(char *text, const struct load_setting *list,
		 struct load_setting *setting, struct error *error)
{
	char *sign = strchr(text, '=');
	const struct load_setting *earlier;

	if (sign == NULL || sign == text || sign[1] == '\0') {
		error_set(error, "--set: \"%s\" must be NAME=VALUE, such as "
			  "bs=4Ki", text);
		return -EINVAL;
	}
	*sign = '\0';
	*setting = (struct load_setting){.name = text, .value = sign + 1};
	for (earlier = list; earlier < setting; earlier++) {
		if (strcmp(earlier->name, setting->name) != 0)
			continue;
		error_set(error, "--set: %s has two values, %s and %s; give "
			  "it one", setting->name, earlier->value,
			  setting->value);
		return -EINVAL;
	}
	return 0;
}

int load_settings_parse(const char *const *texts,
			struct load_setting **settings, size_t *count,
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
