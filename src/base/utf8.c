/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/utf8.h"

#include <jansson.h>
#include <string.h>

char *utf8_copy(const char *text)
{
	json_t *valid = json_string(text);
	char *copy = strdup(text), *next;

	for (next = copy; valid == NULL && next != NULL && *next != '\0';
	     next++)
		if ((unsigned char)*next >= 0x80)
			*next = '?';
	json_decref(valid);
	return copy;
}
