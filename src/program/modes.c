/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/modes.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* The optional words of each operation. */
static const struct {
	enum op_kind kind;
	const char *word;
	uint32_t bit;
} optional[] = {
	{OP_LOCK, "shared", LOCK_SHARED},
	{OP_LOCK, "try", LOCK_TRY},
	{OP_LOCK_TEST, "shared", LOCK_SHARED},
	{OP_ALLOCATE, "keep-size", ALLOCATE_KEEP_SIZE},
	{OP_ALLOCATE, "punch-hole", ALLOCATE_PUNCH_HOLE},
	{OP_ALLOCATE, "zero", ALLOCATE_ZERO},
	{OP_SYNC_RANGE, "wait", SYNC_RANGE_WAIT},
};

static const struct {
	const char *word;
	uint32_t bit;
} rights[] = {
	{"read", ACCESS_READ},
	{"write", ACCESS_WRITE},
	{"execute", ACCESS_EXECUTE},
};

/* Parse the rights of an ACCESS, joined by commas. */
static int parse_rights(const char *text, struct op *op)
{
	size_t length, i;

	op->mode = 0;
	if (strcmp(text, "exists") == 0)
		return 0;
	for (;; text += length + 1) {
		length = strcspn(text, ",");
		for (i = 0; i < LENGTH(rights); i++)
			if (strlen(rights[i].word) == length &&
			    memcmp(rights[i].word, text, length) == 0)
				break;
		if (i == LENGTH(rights))
			return -EINVAL;
		op->mode |= rights[i].bit;
		if (text[length] == '\0')
			return 0;
	}
}

static void print_rights(const struct op *op, FILE *stream)
{
	char separator = ' ';
	size_t i;

	if (op->mode == 0)
		fputs(" exists", stream);
	for (i = 0; i < LENGTH(rights); i++) {
		if ((op->mode & rights[i].bit) == 0)
			continue;
		fprintf(stream, "%c%s", separator, rights[i].word);
		separator = ',';
	}
}

/* Parse digits of this base. Return 0, or -EINVAL if the text contains anything
 * else or the number exceeds `max`. */
static int parse_digits(const char *text, unsigned base, uint64_t max, uint32_t *number)
{
	uint64_t sum = 0;

	if (*text == '\0')
		return -EINVAL;
	for (; *text != '\0'; text++) {
		unsigned digit = (unsigned char)*text - '0';

		if (digit >= base)
			return -EINVAL;
		sum = sum * base + digit;
		if (sum > max)
			return -EINVAL;
	}
	*number = (uint32_t)sum;
	return 0;
}

static int parse_id(const char *text, uint32_t *id)
{
	*id = OP_UNCHANGED;
	if (strcmp(text, "-") == 0)
		return 0;
	return parse_digits(text, 10, OP_UNCHANGED - 1, id);
}

static void print_id(uint32_t id, FILE *stream)
{
	if (id == OP_UNCHANGED)
		fputs(" -", stream);
	else
		fprintf(stream, " %" PRIu32, id);
}

/* Parse the last argument of a RENAME. */
static int parse_how(const char *text, struct op *op)
{
	if (strcmp(text, "no-replace") == 0)
		op->flags |= OP_NO_REPLACE;
	else if (strcmp(text, "exchange") == 0)
		op->mode = RENAME_SWAP;
	else if (strcmp(text, "replace") != 0)
		return -EINVAL;
	return 0;
}

int modes_parse(char letter, const char *text, struct op *op)
{
	switch (letter) {
	case 'r':
		return parse_how(text, op);
	case 'A':
		return parse_rights(text, op);
	case 'M':
		return parse_digits(text, 8, PERMISSIONS_MAX, &op->mode);
	case 'u':
		return parse_id(text, &op->user_id);
	default:
		return parse_id(text, &op->group_id);
	}
}

void modes_print(char letter, const struct op *op, FILE *stream)
{
	switch (letter) {
	case 'r':
		fputs((op->flags & OP_NO_REPLACE) != 0 ? " no-replace"
		      : op->mode == RENAME_SWAP        ? " exchange"
						       : " replace",
		      stream);
		break;
	case 'A':
		print_rights(op, stream);
		break;
	case 'M':
		fprintf(stream, " %04" PRIo32, op->mode);
		break;
	case 'u':
		print_id(op->user_id, stream);
		break;
	default:
		print_id(op->group_id, stream);
		break;
	}
}

const char *modes_expected(char letter)
{
	switch (letter) {
	case 'r':
		return "replace, no-replace or exchange";
	case 'A':
		return "exists, or some of read,write,execute";
	case 'M':
		return "octal permissions from 0 to 7777";
	default:
		return "a numeric ID or -";
	}
}

bool modes_parse_optional(const char *text, struct op *op)
{
	size_t i;

	for (i = 0; i < LENGTH(optional); i++) {
		if (optional[i].kind == op->kind && strcmp(optional[i].word, text) == 0) {
			op->mode |= optional[i].bit;
			return true;
		}
	}
	return false;
}

char *modes_optional_words(enum op_kind kind, char text[MODES_TEXT])
{
	size_t length = 0, i;

	text[0] = '\0';
	for (i = 0; i < LENGTH(optional); i++)
		if (optional[i].kind == kind)
			length += (size_t)snprintf(text + length, MODES_TEXT - length, "%s, ",
						   optional[i].word);
	return text;
}

void modes_print_optional(const struct op *op, FILE *stream)
{
	size_t i;

	for (i = 0; i < LENGTH(optional); i++)
		if (optional[i].kind == op->kind && (op->mode & optional[i].bit) != 0)
			fprintf(stream, " %s", optional[i].word);
}
