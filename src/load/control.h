/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Control lines, whose words are in upper case. LOOP, SLEEP, SETSP and others
 * have the same meaning in every dialect. Some, such as MIX and LET, exist only in
 * the native dialect.
 */
#ifndef LOAD_CONTROL_H
#define LOAD_CONTROL_H

#include "base/suggest.h"
#include "compile/builder.h"
#include "load/reader.h"
#include "load/unroll.h"

struct control_line;

/* Return the control line that begins with `word`, or NULL. `native`: the load
 * is in the native dialect. */
const struct control_line *control_find(const char *word, bool native);

/* Offer the words of all control lines (base/suggest.h). */
void control_suggest(struct suggestion *suggestion);

/*
 * Compile a control line. `unroll`: the REPEATs of a load in the native dialect,
 * with its parameters; NULL in other dialects. For a REPEAT without a counter,
 * set *repeat to the number of rounds of the next line. Return 0, or -EINVAL with `error` set, or -ENOMEM.
 */
int control_compile(const struct control_line *control, struct builder *builder,
		    struct unroll *unroll, struct line *line, uint64_t *repeat,
		    struct error *error);

#endif
