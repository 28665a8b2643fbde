/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/dialect.h"

#include <ctype.h>
#include <stddef.h>
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

/* Operations in dbench 5's loads for disks: SCSI, iSCSI and block devices. */
static const char *const device_words[] = {
	"TESTUNITREADY",
	"READ6",
	"READ10",
	"READ16",
	"WRITE10",
	"WRITE16",
	"READCAPACITY10",
	"SYNCHRONIZECACHE10",
	"PROUT",
	"FDATASYNC",
	NULL,
};

static bool is_device_word(const char *word)
{
	size_t i;

	for (i = 0; device_words[i] != NULL; i++)
		if (strcmp(device_words[i], word) == 0)
			return true;
	return false;
}

/* Is the operation a READ or WRITE with an offset, a size and a status, but no
 * file? */
static bool is_device_io(const struct line *line, unsigned first)
{
	const struct word *word = &line->words[first];

	return line->word_count == first + 4 &&
	       (strcmp(word[0].text, "READ") == 0 || strcmp(word[0].text, "WRITE") == 0) &&
	       !word[1].quoted && word[1].text[0] != '\0' &&
	       (strchr("*+", word[1].text[0]) != NULL || isdigit((unsigned char)word[1].text[0])) &&
	       strncmp(word[3].text, "0x", 2) == 0;
}

const char *dialect_refusal(const struct line *line, unsigned first)
{
	if (is_device_word(line->words[first].text) || is_device_io(line, first))
		return "block-device loads are not supported; throng plays file operations";
	return NULL;
}
