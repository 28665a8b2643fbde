/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/error.h"

#include "base/utf8.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

static void error_fill(struct error *error, const char *source, unsigned line, unsigned column,
		       const char *format, va_list arguments)
{
	if (error->set)
		return;
	error->set = true;
	error->line = line;
	error->column = column;
	snprintf(error->source, sizeof(error->source), "%s", source);
	vsnprintf(error->text, sizeof(error->text), format, arguments);
}

void error_set(struct error *error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	error_fill(error, "", 0, 0, format, arguments);
	va_end(arguments);
}

void error_set_at(struct error *error, const char *source, unsigned line, unsigned column,
		  const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	error_fill(error, source, line, column, format, arguments);
	va_end(arguments);
}

void error_prefix(struct error *error, const char *prefix)
{
	const struct error plain = *error;

	if (error->set)
		snprintf(error->text, sizeof(error->text), "%s%s", prefix, plain.text);
}

int error_no_memory(struct error *error)
{
	error_set(error, "out of memory");
	return -ENOMEM;
}

char *error_print(const struct error *error, char *buffer, size_t size)
{
	if (error->source[0] == '\0')
		snprintf(buffer, size, "%s", error->text);
	else if (error->line == 0)
		snprintf(buffer, size, "%s: %s", error->source, error->text);
	else if (error->column == 0)
		snprintf(buffer, size, "%s:%u: %s", error->source, error->line, error->text);
	else
		snprintf(buffer, size, "%s:%u:%u: %s", error->source, error->line, error->column,
			 error->text);
	/* A message may quote terminal control sequences from a file. */
	utf8_mask(buffer);
	return buffer;
}

void errors_add(struct errors *errors, const struct error *error)
{
	if (errors->count < ERRORS_KEPT)
		errors->kept[errors->count] = *error;
	errors->count++;
}
