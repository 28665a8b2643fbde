/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/message.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static const char *program_name = "throng";

void message_name(const char *name)
{
	program_name = name;
}

void message_error(const struct error *error)
{
	char text[sizeof(error->source) + sizeof(error->text) + 32];

	error_print(error, text, sizeof(text));
	fprintf(stderr, "%s: %s\n", program_name, text);
}

void message_errors(const struct errors *errors)
{
	size_t i;

	for (i = 0; i < errors->count && i < ERRORS_KEPT; i++)
		message_error(&errors->kept[i]);
	if (errors->count > ERRORS_KEPT)
		fprintf(stderr, "%s: and %zu more error%s\n", program_name,
			errors->count - ERRORS_KEPT, errors->count - ERRORS_KEPT == 1 ? "" : "s");
}

static void print(const char *kind, const char *format, va_list arguments)
{
	char text[1024];

	vsnprintf(text, sizeof(text), format, arguments);
	utf8_mask(text);
	fprintf(stderr, "%s: %s: %s\n", program_name, kind, text);
}

void message_warning(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print("warning", format, arguments);
	va_end(arguments);
}

void message_note(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print("note", format, arguments);
	va_end(arguments);
}

int message_descriptor(void)
{
	return STDERR_FILENO;
}
