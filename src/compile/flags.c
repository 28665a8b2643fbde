/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compile/flags.h"

#include "program/program.h"

#include <errno.h>

int flags_check(const struct op *op, struct error *error)
{
	unsigned settable = OP_LOOKUP | OP_FLUSH | OP_SYNC_PARENT;
	unsigned refused = op->flags & settable & ~op_takes(op->kind);
	const struct op_flag_word *known = program_flag_words;

	if (refused == 0)
		return 0;
	while ((refused & known->flag) == 0)
		known++;
	error_set(error, "%s does not take the flag %s", op_verb(op->kind), known->word);
	return -EINVAL;
}
