/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/recorded.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* clang-format off */
static const char *const fields[SMB_FIELDS] = {
	[SMB_OPTIONS] = "options",
	[SMB_DISPOSITION] = "disposition",
	[SMB_ACCESS] = "access",
	[SMB_SHARE] = "share",
	[SMB_LEVEL] = "level",
	[SMB_ATTRIBUTES] = "attributes",
};
/* clang-format on */

/* clang-format off */
static const char *const dispositions[SMB_DISPOSITIONS] = {
	[SMB_SUPERSEDE] = "supersede",
	[SMB_OPEN] = "open",
	[SMB_CREATE] = "create",
	[SMB_OPEN_IF] = "open-if",
	[SMB_OVERWRITE] = "overwrite",
	[SMB_OVERWRITE_IF] = "overwrite-if",
};
/* clang-format on */

/* Return the fields of an operation: a set of 1 << enum smb_field. */
static unsigned fields_of(enum op_kind kind)
{
	switch (kind) {
	case OP_OPEN:
		return 1 << SMB_OPTIONS | 1 << SMB_DISPOSITION | 1 << SMB_ACCESS | 1 << SMB_SHARE;
	case OP_STAT:
	case OP_FSTAT:
	case OP_SET_TIMES:
	case OP_STATVFS:
	case OP_LIST:
		return 1 << SMB_LEVEL;
	case OP_UNLINK:
	case OP_UNLINK_MATCHING:
		return 1 << SMB_ATTRIBUTES;
	default:
		return 0;
	}
}

bool recorded_has_request(enum op_kind kind)
{
	return fields_of(kind) != 0;
}

/* Parse a decimal or hexadecimal number. */
static int parse_number(const char *text, uint32_t *number)
{
	char *end;
	unsigned long long value;

	if (*text < '0' || *text > '9')
		return -EINVAL;
	errno = 0;
	value = strtoull(text, &end, strncmp(text, "0x", 2) == 0 ? 16 : 10);
	if (errno != 0 || *end != '\0' || value > UINT32_MAX)
		return -EINVAL;
	*number = (uint32_t)value;
	return 0;
}

static int parse_value(enum smb_field field, const char *text, uint32_t *value)
{
	if (field != SMB_DISPOSITION)
		return parse_number(text, value);
	for (*value = 0; *value < SMB_DISPOSITIONS; (*value)++)
		if (strcmp(dispositions[*value], text) == 0)
			return 0;
	return -EINVAL;
}

/* Return the field of the operation whose name the text begins with, or
 * SMB_FIELDS. */
static enum smb_field find_field(enum op_kind kind, const char *text)
{
	unsigned known = fields_of(kind);
	unsigned field;

	for (field = 0; field < SMB_FIELDS; field++) {
		size_t length = strlen(fields[field]);

		if ((known >> field & 1) != 0 && strncmp(fields[field], text, length) == 0 &&
		    text[length] == '=')
			break;
	}
	return (enum smb_field)field;
}

bool recorded_parse(enum op_kind kind, const char *text, struct smb_request *request,
		    struct error *error)
{
	enum smb_field field = find_field(kind, text);
	const char *number;
	uint32_t value;

	if (field == SMB_FIELDS)
		return false;
	number = text + strlen(fields[field]) + 1;
	if (parse_value(field, number, &value) < 0) {
		error_set(error, "\"%.40s\" is not a value of %s; expected %s", number,
			  fields[field],
			  field == SMB_DISPOSITION
				  ? "supersede, open, create, open-if, overwrite or overwrite-if"
				  : "a number such as 64 or 0x40");
		return false;
	}
	smb_request_set(request, field, value);
	return true;
}

void recorded_print(const struct program *program, const struct op *op, FILE *stream)
{
	const struct smb_request *request;
	unsigned field;

	if (!recorded_has_request(op->kind))
		return;
	request = &program->requests[op->request];
	for (field = 0; field < SMB_FIELDS; field++) {
		uint32_t value = request->values[field];

		if (!smb_request_has(request, field))
			continue;
		fprintf(stream, " %s=", fields[field]);
		if (field == SMB_DISPOSITION)
			fputs(dispositions[value], stream);
		else
			fprintf(stream, field == SMB_LEVEL ? "%" PRIu32 : "0x%" PRIx32, value);
	}
}

char *recorded_words(enum op_kind kind, char text[RECORDED_TEXT])
{
	unsigned known = fields_of(kind);
	size_t length = 0;
	unsigned field;

	text[0] = '\0';
	for (field = 0; field < SMB_FIELDS; field++)
		if ((known >> field & 1) != 0)
			length += (size_t)snprintf(text + length, RECORDED_TEXT - length, "%s=, ",
						   fields[field]);
	return text;
}

static const struct {
	uint32_t option;
	enum open_flag flag;
} options[] = {
	{SMB_DIRECTORY_FILE, OPEN_DIRECTORY},
	{SMB_WRITE_THROUGH, OPEN_WRITE_THROUGH},
	{SMB_NON_DIRECTORY_FILE, OPEN_FILE},
	{SMB_DELETE_ON_CLOSE, OPEN_DELETE_ON_CLOSE},
};

uint64_t recorded_options_flags(uint64_t bits)
{
	uint64_t flags = 0;
	size_t i;

	for (i = 0; i < LENGTH(options); i++)
		if ((bits & options[i].option) != 0)
			flags |= options[i].flag;
	return flags;
}

uint64_t recorded_disposition_flags(enum smb_disposition disposition)
{
	static const uint64_t flags[SMB_DISPOSITIONS] = {
		[SMB_SUPERSEDE] = OPEN_CREATE | OPEN_TRUNCATE,
		[SMB_OPEN] = 0,
		[SMB_CREATE] = OPEN_CREATE,
		[SMB_OPEN_IF] = OPEN_CREATE,
		[SMB_OVERWRITE] = OPEN_TRUNCATE,
		[SMB_OVERWRITE_IF] = OPEN_CREATE | OPEN_TRUNCATE,
	};

	return flags[disposition];
}

uint64_t recorded_access_flags(uint32_t access)
{
	uint64_t flags = 0;

	if ((access & SMB_WRITE_RIGHTS) != 0)
		flags |= OPEN_WRITE;
	if ((access & SMB_READ_RIGHTS) != 0 || flags == 0)
		flags |= OPEN_READ;
	return flags;
}

int recorded_check_open(const struct smb_request *request, uint64_t flags, struct error *error)
{
	uint64_t known = 0, meaning = 0, may = OPEN_READ | OPEN_WRITE;
	uint32_t disposition = request->values[SMB_DISPOSITION];
	char text[OPEN_FLAGS_TEXT];

	if (smb_request_has(request, SMB_OPTIONS)) {
		known |= OPEN_DIRECTORY | OPEN_WRITE_THROUGH | OPEN_FILE | OPEN_DELETE_ON_CLOSE;
		meaning |= recorded_options_flags(request->values[SMB_OPTIONS]);
	}
	if (smb_request_has(request, SMB_DISPOSITION)) {
		known |= OPEN_CREATE | OPEN_TRUNCATE;
		meaning |= recorded_disposition_flags(disposition);
		/* A recorded success may repeat, so exclusive is optional. */
		if (disposition != SMB_CREATE)
			known |= OPEN_EXCLUSIVE;
	}
	if (smb_request_has(request, SMB_ACCESS))
		may = recorded_access_flags(request->values[SMB_ACCESS]);
	if ((flags & (OPEN_READ | OPEN_WRITE) & ~may) != 0) {
		error_set(error, "the open flags contradict access=, which allows only %s",
			  program_print_open_flags(may, text));
		return -EINVAL;
	}
	if ((flags & known) == meaning)
		return 0;
	error_set(error, "the open flags contradict options= and disposition=, which mean %s",
		  meaning != 0 ? program_print_open_flags(meaning, text) : "no open flag");
	return -EINVAL;
}
