/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/dialect.h"

const struct dialect *const dialects[] = {
	&dialect_netbench,
	&dialect_nfs,
	&dialect_smb,
	&dialect_native,
	NULL,
};

void dialect_find_made(const struct builder *builder, struct op *op)
{
	enum path_place place = builder_place(builder, op->path);

	if (outcome_in(op->accepts, OUTCOME_OK) &&
	    (place == PATH_CLIENTS || place == PATH_HOME))
		op->accepts |= OUTCOME_BIT(EXISTS);
}

int dialect_add(struct builder *builder, const struct line *line,
		unsigned first, const struct op *op, uint64_t due_ns,
		struct error *error)
{
	struct error reason = {0};
	int rc = builder_add(builder, op, due_ns, &reason);

	if (rc < 0)
		line_error(line, first, error, "%s", reason.text);
	return rc;
}
