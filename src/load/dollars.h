/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dollars in the paths of the native dialect: `$1` is a random string, `$name`
 * or `${name}` a variable, and `$$` a dollar.
 */
#ifndef LOAD_DOLLARS_H
#define LOAD_DOLLARS_H

#include "compile/builder.h"
#include "load/reader.h"

/* Room for a path after dollars_read(), which may make it longer. */
enum { DOLLARS_PATH_MAX = 2 * PROGRAM_PATH_MAX };

/*
 * Write the path in word `word` to `path`, as builder_path() wants it: `$name`
 * becomes `${name}`, and `$$` becomes `$`. Set *references if the path has
 * variables. Return 0, or -EINVAL with `error` set: a name is not defined, a
 * dollar would look like one of the random strings or variables, or the path is
 * too long.
 */
int dollars_read(struct builder *builder, const struct line *line, unsigned word,
		 char path[DOLLARS_PATH_MAX], bool *references, struct error *error);

#endif
