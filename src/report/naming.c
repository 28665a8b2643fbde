/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/naming.h"

#include <string.h>

void naming_choose(const struct result *const *results, size_t count, const char *const *defaults,
		   const char **names)
{
	bool differ = true;
	size_t i, j;

	for (i = 0; i < count; i++) {
		const char *label = results[i]->run.label;

		names[i] = label[0] != '\0' ? label : defaults[i];
		for (j = 0; j < i; j++)
			differ = differ && strcmp(names[i], names[j]) != 0;
	}
	for (i = 0; !differ && i < count; i++)
		names[i] = defaults[i];
}

bool naming_is_short(const char *name, size_t columns)
{
	size_t i;

	for (i = 0; name[i] != '\0'; i++)
		if (name[i] < ' ' || name[i] > '~')
			return false;
	return i <= columns;
}
