/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/decode/columns.h"

#include "base/array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A message of SMB or NFS has at most 16 MiB, and so have its fields. */
enum { LINE_BYTES_MAX = 32 << 20 };

void columns_open(struct columns *columns, FILE *stream, const char *source, size_t count)
{
	*columns = (struct columns){
		.stream = stream,
		.source = source,
		.count = count,
	};
}

static int refuse(const struct columns *columns, struct error *error, const char *text)
{
	error_set_at(error, columns->source, columns->number, 0, "%s", text);
	return -EINVAL;
}

/* Read a line without its newline, and end it by a NUL. Return 1, 0 at the end,
 * or -errno with `error` set. */
static int read_line(struct columns *columns, struct error *error)
{
	size_t length = 0;
	int c;

	columns->number++;
	while ((c = getc_unlocked(columns->stream)) != EOF && c != '\n') {
		if (c == '\0')
			return refuse(columns, error, "not text: a NUL in the line");
		if (length == LINE_BYTES_MAX)
			return refuse(columns, error, "the line is too long");
		if (array_grow(&columns->line, &columns->room, length + 2, 1) < 0)
			return error_no_memory(error);
		columns->line[length++] = (char)c;
	}
	if (c == EOF && ferror(columns->stream)) {
		int rc = errno != 0 ? -errno : -EIO;

		error_set(error, "cannot read \"%s\": %s", columns->source, strerror(-rc));
		return rc;
	}
	if (c == EOF)
		return length == 0 ? 0 : refuse(columns, error, "the last line is incomplete");
	if (array_grow(&columns->line, &columns->room, 1, 1) < 0)
		return error_no_memory(error);
	columns->line[length] = '\0';
	return 1;
}

/* Divide the line into columns and values. Return the number of columns, of
 * which no more than columns->count are kept. */
static size_t divide(struct columns *columns)
{
	char *start = columns->line, *c = start;
	size_t count = 0;

	for (;; c++) {
		char end = *c;

		if (end == COLUMNS_AGGREGATOR)
			*c = '\0';
		if (end != '\0' && end != COLUMNS_SEPARATOR)
			continue;
		*c = '\0';
		if (count < columns->count) {
			columns->next[count] = c > start ? start : NULL;
			columns->end[count] = c;
		}
		count++;
		start = c + 1;
		if (end == '\0')
			return count;
	}
}

int columns_next(struct columns *columns, struct error *error)
{
	int rc = read_line(columns, error);
	size_t count;

	if (rc <= 0)
		return rc;
	count = divide(columns);
	if (count == columns->count)
		return 1;
	error_set_at(error, columns->source, columns->number, 0,
		     "%zu columns instead of %zu (import --print-tshark prints the command for the "
		     "fields of a capture)",
		     count, columns->count);
	return -EINVAL;
}

const char *columns_take(struct columns *columns, size_t column)
{
	char *value = columns->next[column];

	if (value != NULL) {
		char *end = value + strlen(value);

		columns->next[column] = end < columns->end[column] ? end + 1 : NULL;
	}
	return value;
}

const char *columns_peek(const struct columns *columns, size_t column)
{
	return columns->next[column];
}

size_t columns_left(const struct columns *columns, size_t column)
{
	const char *value = columns->next[column];
	size_t count = 0;

	if (value == NULL)
		return 0;
	for (count = 1; (value += strlen(value)) < columns->end[column]; count++)
		value++;
	return count;
}

bool columns_parse_number(const char *text, uint64_t *number)
{
	char *end;

	if (text == NULL || *text == '\0')
		return false;
	if (strcmp(text, "True") == 0 || strcmp(text, "False") == 0) {
		*number = *text == 'T';
		return true;
	}
	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*number = strtoull(text, &end, strncmp(text, "0x", 2) == 0 ? 16 : 10);
	return errno == 0 && *end == '\0';
}

bool columns_take_number(struct columns *columns, size_t column, uint64_t *number)
{
	return columns_parse_number(columns_take(columns, column), number);
}

void columns_close(struct columns *columns)
{
	free(columns->line);
	columns->line = NULL;
	columns->room = 0;
}
