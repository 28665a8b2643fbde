/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/formats.h"

#include "page/html.h"
#include "result/json.h"

#include <string.h>

static int write_json(const struct export *export, FILE *stream)
{
	return json_write(export->results, export->count, stream);
}

static int write_html(const struct export *export, FILE *stream)
{
	return html_write(export->results, export->count, stream);
}

/* clang-format off */

/* The table, with the members of struct format. */
#define FORMATS_LIST(X) \
	X("text", NULL, true, 0, text_write) \
	X("json", ".json", false, 0, write_json) \
	X("csv", ".csv", false, 0, csv_write) \
	X("html", ".html", true, HTML_RESULTS, write_html)

#define FORMATS_ROW(...) {__VA_ARGS__},
#define FORMATS_NAME(name, ...) name,

static const struct format table[] = {FORMATS_LIST(FORMATS_ROW) {.name = NULL}};

const char *const format_names[] = {FORMATS_LIST(FORMATS_NAME) NULL};
/* clang-format on */

const struct format *const formats = table;

const struct format *format_named(const char *name, size_t length)
{
	const struct format *format;

	for (format = table; format->name != NULL; format++)
		if (strlen(format->name) == length && memcmp(format->name, name, length) == 0)
			return format;
	return NULL;
}

const struct format *format_of_file(const char *name)
{
	size_t length = strlen(name);
	const struct format *format;

	for (format = table; format->name != NULL; format++) {
		size_t ending = format->ending != NULL ? strlen(format->ending) : length;

		if (length > ending && strcmp(name + length - ending, format->ending) == 0)
			return format;
	}
	return NULL;
}
