/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/message.h"

#include <ctype.h>
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
	char text[sizeof(error->source) + sizeof(error->text) + 32], *next;

	error_print(error, text, sizeof(text));
	/* A server's words may be in it, which could steer a terminal. */
	for (next = text; *next != '\0'; next++)
		if (iscntrl((unsigned char)*next))
			*next = '?';
	fprintf(stderr, "%s: %s\n", program_name, text);
}

void message_errors(const struct errors *errors)
{
	size_t i;

	for (i = 0; i < errors->count && i < ERRORS_KEPT; i++)
		message_error(&errors->kept[i]);
	if (errors->count > ERRORS_KEPT)
		fprintf(stderr, "%s: and %zu more error%s\n", program_name,
			errors->count - ERRORS_KEPT,
			errors->count - ERRORS_KEPT == 1 ? "" : "s");
}

void message_warning(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fprintf(stderr, "%s: warning: ", program_name);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
}

int message_descriptor(void)
{
	return STDERR_FILENO;
}
