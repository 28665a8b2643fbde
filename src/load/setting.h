/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parse the values that a user gives to the parameters of a load.
 */
#ifndef LOAD_SETTING_H
#define LOAD_SETTING_H

#include "base/error.h"

#include <stddef.h>

/* A parameter of a load and its value, both as the user wrote them, and the
 * option that sets it, for messages: "--set" or "--sweep". */
struct load_setting {
	const char *name, *value;
	const char *option;
};

/*
 * Parse the NAME=VALUE texts of --set, such as "bs=4Ki". `texts` is ended by
 * NULL, or is NULL itself. Refuse a name that is given twice. Whether
 * the load has such a parameter is known only when it is compiled. Replace
 * *settings, which is NULL at first, by one allocated block that also holds the
 * names and values; free it with free(). Return 0, or -errno with `error` set.
 */
int load_settings_parse(const char *const *texts, struct load_setting **settings, size_t *count,
			struct error *error);

/* Return the last of `count` settings with this name, or NULL. */
const struct load_setting *load_settings_find(const struct load_setting *settings, size_t count,
					      const char *name);

/* Set `error` to the reason for which the value of a setting is refused. */
void load_setting_refuse_value(const struct load_setting *setting, const char *reason,
			       struct error *error);

/* Set `error` to a message that the load in the file `path` does not have the
 * setting's parameter, but those in the list `names`, which may be "". */
void load_setting_refuse_name(const struct load_setting *setting, const char *path,
			      const char *names, struct error *error);

#endif
