/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Read the options of a target (target.h). Modules are linked with this file, but
 * not with target.c, which needs the table of engines (backends.h).
 */
#include "target/target.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

static unsigned hex_digit(char digit)
{
	return isdigit((unsigned char)digit) ? (unsigned)(digit - '0')
					     : (unsigned)(tolower((unsigned char)digit) - 'a' + 10);
}

int target_decode(char *text)
{
	char *out = text;

	for (; *text != '\0'; text++) {
		if (*text != '%') {
			*out++ = *text;
			continue;
		}
		if (!isxdigit((unsigned char)text[1]) || !isxdigit((unsigned char)text[2]))
			return -EINVAL;
		*out = (char)(hex_digit(text[1]) << 4 | hex_digit(text[2]));
		if (*out++ == '\0')
			return -EINVAL;
		text += 2;
	}
	*out = '\0';
	return 0;
}

const char *target_option(const struct target *target, const char *key)
{
	size_t i;

	for (i = 0; i < target->option_count; i++)
		if (strcmp(target->options[i].key, key) == 0)
			return target->options[i].value;
	return NULL;
}

bool target_says_yes(const struct target *target, const char *key)
{
	const char *value = target_option(target, key);

	return value != NULL && strcmp(value, "yes") == 0;
}
