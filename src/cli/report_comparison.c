/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/report_comparison.h"

#include "base/message.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "compare/json.h"

#include <errno.h>
#include <string.h>

/* Refuse an output without a format, and list the formats. */
static void refuse(const char *output, struct error *error)
{
	char endings[80] = "", names[160] = "";
	const struct comparison_format *format;

	for (format = comparison_formats; format->name != NULL; format++) {
		size_t used = strlen(endings), named = strlen(names);

		if (format->ending != NULL)
			snprintf(endings + used, sizeof(endings) - used, "%s%s",
				 used > 0 ? ", " : "", format->ending);
		snprintf(names + named, sizeof(names) - named, "%s%s", named > 0 ? ", " : "",
			 format->name);
	}
	error_set(error,
		  "--output: unknown format of a comparison: \"%s\" must end in one of %s, or be "
		  "FORMAT:FILE with one of %s",
		  output, endings, names);
}

static bool is_stdout(const char *file)
{
	return strcmp(file, "-") == 0;
}

int report_comparison_check(const char *output, struct error *error)
{
	const char *file;

	if (comparison_format_of(output, &file) == NULL)
		refuse(output, error);
	else if (!is_stdout(file))
		output_check_place(file, error);
	return error->set ? -EINVAL : 0;
}

/* A comparison to write, and its format. */
struct document {
	const struct comparison *comparison;
	const struct comparison_format *format;
};

static int write_document(const void *what, FILE *stream)
{
	const struct document *document = what;

	return document->format->write(document->comparison, stream);
}

int report_comparison_write(const struct comparison *comparison, const char *output,
			    struct error *error)
{
	const char *file;
	const struct document document = {comparison, comparison_format_of(output, &file)};

	if (!is_stdout(file))
		return output_replace(file, write_document, &document, error);
	if (write_document(&document, stdout) < 0)
		return error_no_memory(error);
	return 0;
}

int report_comparison(const char *path, const char *const *outputs, size_t count)
{
	struct stored_comparison stored;
	struct comparison comparison = {0};
	struct error error = {0};
	int rc = EXIT_VALID;
	size_t i;

	if (read_comparison(path, &stored, &error) == 0)
		comparison_make(&comparison, stored.results, (const char *const *)stored.names,
				&stored.question, &error);
	/* Check all outputs before any of them is written. */
	for (i = 0; !error.set && i < count; i++)
		report_comparison_check(outputs[i], &error);
	if (error.set)
		rc = cli_refuse(&error);
	for (i = 0; rc == EXIT_VALID && i < count; i++) {
		if (report_comparison_write(&comparison, outputs[i], &error) < 0) {
			message_error(&error);
			rc = EXIT_INVALID;
		}
	}
	comparison_free(&comparison);
	stored_comparison_free(&stored);
	return rc;
}
