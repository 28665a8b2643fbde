/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "backend/target.h"

#include "backend/backends.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * The length of "scheme" in "scheme:", or 0 for a plain path. A path with a
 * colon in it is told apart by its slash, or by writing it as ./PATH.
 */
static size_t scheme_length(const char *text)
{
	size_t length = 0;

	while (isalnum((unsigned char)text[length]) || text[length] == '+')
		length++;
	return length > 1 && text[length] == ':' ? length : 0;
}

int target_parse(const char *text, struct target *target,
		 struct error *error)
{
	size_t length = scheme_length(text);
	const char *rest = length > 0 ? text + length + 1 : text;

	*target = (struct target){
		.url = strdup(text),
		.scheme = strndup(text, length),
	};
	if (length > 0 && strncmp(rest, "//", 2) == 0)
		rest += 2;
	target->path = strdup(rest);
	if (target->url == NULL || target->scheme == NULL ||
	    target->path == NULL) {
		error_set(error, "out of memory");
		return -ENOMEM;
	}
	target->backend = backends_find(target->scheme);
	if (target->backend == NULL) {
		error_set(error, "%s: nothing here plays %s: targets; expected "
			  "a PATH, file:///PATH or null:", text,
			  target->scheme);
		return -EINVAL;
	}
	if (*text == '\0' ||
	    (strcmp(target->scheme, "file") == 0 && *rest != '/')) {
		error_set(error, "\"%s\" is not a target; expected a PATH, "
			  "file:///PATH or null:", text);
		return -EINVAL;
	}
	return 0;
}

void target_free(struct target *target)
{
	free(target->url);
	free(target->scheme);
	free(target->path);
	*target = (struct target){0};
}
