/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/dialect.h"

#include <string.h>
#include <strings.h>

const struct dialect *const dialects[] = {
	&dialect_netbench, &dialect_nfs, &dialect_smb, &dialect_native, NULL,
};

const struct spelling *dialect_find(const struct spelling *spellings, const char *word)
{
	for (; spellings->word != NULL; spellings++)
		if (strcasecmp(spellings->word, word) == 0)
			return spellings;
	return NULL;
}

unsigned dialect_match(const struct spelling *spellings, const char *word)
{
	const struct spelling *spelling = dialect_find(spellings, word);

	if (spelling == NULL)
		return 0;
	return strcmp(spelling->word, word) == 0 ? 2 : 1;
}

void dialect_accept_existing(const struct builder *builder, struct op *op)
{
	enum path_place place = builder_place(builder, op->path);

	if (outcome_in(op->accepts, OUTCOME_OK) && (place == PATH_CLIENTS || place == PATH_HOME))
		op->accepts |= OUTCOME_BIT(EXISTS);
}

int dialect_add(struct builder *builder, const struct line *line, unsigned first,
		const struct op *op, uint64_t due_ns, struct error *error)
{
	struct error reason = {0};
	int rc = builder_add(builder, op, due_ns, &reason);

	if (rc < 0)
		line_error(line, first, error, "%s", reason.text);
	return rc;
}
