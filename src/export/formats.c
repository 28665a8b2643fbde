/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/formats.h"

#include "report/page.h"
#include "result/json.h"

#include <string.h>

static int write_json(const struct export *export, FILE *stream)
{
	return json_write(export->results, export->count, stream);
}

static int write_html(const struct export *export, FILE *stream)
{
	return page_write(export->results, export->count, export->files, stream);
}

/* clang-format off */

/* The formats of results: name, writer, and other members of struct format. */
#define FORMATS_LIST(X) \
	X("text", text_write, .several = true, .compare = comparison_text) \
	X("json", write_json, .ending = ".json", .compare = comparison_json) \
	X("csv", csv_write, .ending = ".csv") \
	X("html", write_html, .ending = ".html", .several = true, .compare = comparison_html) \
	X("markdown", markdown_write, .ending = ".md", .several = true, \
	  .compare = comparison_markdown) \
	X("dbench", dbench_write) \
	X("bencher", bencher_write) \
	X("benchmark-bigger", benchmark_write_bigger) \
	X("benchmark-smaller", benchmark_write_smaller) \
	X("otava", otava_write, .several = true) \
	X("prometheus", prometheus_write, .live = true)

#define FORMATS_ROW(own_name, own_write, ...) \
	{.name = (own_name), .write = (own_write), __VA_ARGS__},
#define FORMATS_NAME(name, ...) name,

static const struct format table[] = {
	FORMATS_LIST(FORMATS_ROW)
	{.name = "junit", .compare = comparison_junit},
	{.name = "github", .compare = comparison_github},
	{.name = NULL},
};

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
