/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/description.h"

#include "base/array.h"
#include "compile/variables.h"
#include "load/reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* The lines before the description. */
static const char *const no_description[] = {
	"throng loadfile",
	"SPDX-License-Identifier",
};

static bool is_no_description(const char *text)
{
	size_t i;

	for (i = 0; i < sizeof(no_description) / sizeof(no_description[0]); i++)
		if (strncmp(text, no_description[i], strlen(no_description[i])) == 0)
			return true;
	return false;
}

/* Copy the comment to `text`, and its first line to `summary`. Return 0 or
 * -errno. */
static int copy_comment(struct reader *reader, FILE *summary, FILE *text, struct error *error)
{
	const char *words;
	size_t lines = 0;
	int rc;

	while ((rc = reader_comment(reader, &words, error)) > 0) {
		if (is_no_description(words) || (lines <= 1 && words[0] == '\0'))
			continue;
		if (lines == 0)
			fputs(words, summary);
		else
			fprintf(text, "%s\n", words);
		lines++;
	}
	return rc;
}

static int read_comment(struct description *description, struct reader *reader, struct error *error)
{
	size_t bytes;
	FILE *summary = open_memstream(&description->summary, &bytes);
	FILE *text = open_memstream(&description->text, &bytes);
	int rc = 0;

	if (summary != NULL && text != NULL)
		rc = copy_comment(reader, summary, text, error);
	if (summary != NULL)
		fclose(summary);
	if (text != NULL)
		fclose(text);
	if (description->summary == NULL || description->text == NULL)
		return error_no_memory(error);
	return rc;
}

/* PARAM NAME VALUE ["DESCRIPTION"] */
static int add_parameter(struct description *description, const struct line *line,
			 struct error *error)
{
	const struct word *words = line->words;
	struct description_parameter added = {
		.name = strdup(words[1].text),
		.value = strdup(words[2].text),
		.text = strdup(line->word_count > 3 ? words[3].text : ""),
	};

	if (added.name != NULL && added.value != NULL && added.text != NULL &&
	    array_append(&description->parameters, &description->parameter_count, &added,
			 sizeof(added)) == 0)
		return 0;
	free(added.name);
	free(added.value);
	free(added.text);
	return error_no_memory(error);
}

static int read_parameters(struct description *description, struct reader *reader,
			   struct error *error)
{
	struct line line;
	int rc;

	while ((rc = reader_next(reader, &line, error)) > 0 &&
	       strcmp(line.words[0].text, "PARAM") == 0) {
		line_drop_comment(&line);
		if (line.word_count < 3)
			rc = line_error(&line, 0, error, "expected a name and a value after PARAM");
		else if (!variables_is_name(line.words[1].text, strlen(line.words[1].text)))
			rc = line_error(
				&line, 1, error,
				"\"%s\" is not the name of a parameter; expected at most %d "
				"letters, digits and underscores, and no digit at the start",
				line.words[1].text, PROGRAM_VARIABLE_NAME_MAX);
		else
			rc = add_parameter(description, &line, error);
		if (rc < 0)
			break;
	}
	return rc < 0 ? rc : 0;
}

int description_read(struct description *description, const char *path, struct error *error)
{
	struct reader *reader;
	int rc;

	*description = (struct description){0};
	reader = reader_open(path, error);
	if (reader == NULL)
		return -EIO;
	rc = read_comment(description, reader, error);
	if (rc == 0)
		rc = reader_rewind(reader, error);
	if (rc == 0)
		rc = read_parameters(description, reader, error);
	reader_close(reader);
	return rc;
}

void description_free(struct description *description)
{
	size_t i;

	for (i = 0; i < description->parameter_count; i++) {
		free(description->parameters[i].name);
		free(description->parameters[i].value);
		free(description->parameters[i].text);
	}
	free(description->parameters);
	free(description->summary);
	free(description->text);
}
