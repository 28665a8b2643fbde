/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The description of a native load for people: the comment at its top and its
 * parameters, in the words of the loadfile.
 */
#ifndef LOAD_DESCRIPTION_H
#define LOAD_DESCRIPTION_H

#include "base/error.h"

#include <stddef.h>

struct description_parameter {
	char *name;
	char *value; /* the default, or all choices, the default first */
	char *text;  /* its description; "": none */
};

struct description {
	char *summary; /* the first line of the comment */
	char *text;    /* the other lines, each ended by a newline */
	struct description_parameter *parameters;
	size_t parameter_count;
};

/*
 * Read the description of a loadfile, plain or gzip. Lines such as "throng
 * loadfile ..." at the top are not part of it. Parameters are found only directly
 * after the comment. Return 0, or -errno with `error` set. Call description_free even after
 * an error.
 */
int description_read(struct description *description, const char *path, struct error *error);
void description_free(struct description *description);

#endif
