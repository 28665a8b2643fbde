/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/dialect.h"

const struct dialect *const dialects[] = {
	&dialect_netbench,
	&dialect_nfs,
	&dialect_smb,
	&dialect_native,
	NULL,
};

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
