/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parse the values that a user gives to the parameters of a load.
 */
#ifndef LOAD_SETTING_H
#define LOAD_SETTING_H

#include "base/error.h"

#include <stddef.h>

/* A parameter of a load and its value, both as the user wrote them. */
struct load_setting {
	const char *name, *value;
};

/*
 * Parse the NAME=VALUE texts of --set, such as "bs=4Ki". `texts` is ended by
 * NULL, or is NULL itself. Refuse a name that is given twice. Whether
 * the load has such a parameter is known only when it is compiled. Replace
 * *settings, which is NULL at first, by one allocated block that also holds the
 * names and values; free it with free(). Return 0, or -errno with `error` set.
 */
int load_settings_parse(const char *const *texts,
			struct load_setting **settings, size_t *count,
			struct error *error);

#endif
