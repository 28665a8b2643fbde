/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/description.h"

#include "base/array.h"
#include "load/reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* The lines before the description. */
static const char *const no_description[] = {
	"throng loadfile", "SPDX-License-Identifier",
};

/* Return the text of a line of the comment, or NULL after its end. */
static const char *comment_text(char *line)
{
	line[strcspn(line, "\r\n")] = '\0';
	if (line[0] != '#')
		return NULL;
	return line[1] == ' ' ? line + 2 : line + 1;
}

static bool is_no_description(const char *text)
{
	size_t i;

	for (i = 0; i < sizeof(no_description) / sizeof(no_description[0]); i++)
		if (strncmp(text, no_description[i],
			    strlen(no_description[i])) == 0)
			return true;
	return false;
}

/* Copy the comment from `stream` to `text`, and its first line to `summary`. */
static void copy_comment(FILE *stream, FILE *summary, FILE *text)
{
	const char *words;
	char *line = NULL;
	size_t room = 0, lines = 0;

	while (getline(&line, &room, stream) >= 0 &&
	       (words = comment_text(line)) != NULL) {
		if (is_no_description(words) ||
		    (lines <= 1 && words[0] == '\0'))
			continue;
		if (lines == 0)
			fputs(words, summary);
		else
			fprintf(text, "%s\n", words);
		lines++;
	}
	free(line);
}

static int read_comment(struct description *description, const char *path,
			struct error *error)
{
	size_t bytes;
	FILE *stream = fopen(path, "r");
	FILE *summary, *text;

	if (stream == NULL) {
		int rc = -errno;

		error_set(error, "cannot open \"%s\": %s", path,
			  strerror(errno));
		return rc;
	}
	summary = open_memstream(&description->summary, &bytes);
	text = open_memstream(&description->text, &bytes);
	if (summary != NULL && text != NULL)
		copy_comment(stream, summary, text);
	if (summary != NULL)
		fclose(summary);
	if (text != NULL)
		fclose(text);
	fclose(stream);
	if (description->summary == NULL || description->text == NULL)
		return error_no_memory(error);
	return 0;
}

/* PARAM NAME VALUE ["DESCRIPTION"] */
static int add_parameter(struct description *description,
			 const struct line *line, struct error *error)
{
	const struct word *words = line->words;
	struct description_parameter added = {
		.name = strdup(words[1].text),
		.value = strdup(words[2].text),
		.text = strdup(line->word_count > 3 ? words[3].text : ""),
	};

	if (added.name != NULL && added.value != NULL && added.text != NULL &&
	    array_append(&description->parameters,
			 &description->parameter_count, &added,
			 sizeof(added)) == 0)
		return 0;
	free(added.name);
	free(added.value);
	free(added.text);
	return error_no_memory(error);
}

static int read_parameters(struct description *description, const char *path,
			   struct error *error)
{
	struct reader *reader = reader_open(path, error);
	struct line line;
	int rc;

	if (reader == NULL)
		return -EIO;
	while ((rc = reader_next(reader, &line, error)) > 0 &&
	       strcmp(line.words[0].text, "PARAM") == 0) {
		line_drop_comment(&line);
		rc = line.word_count < 3
			     ? -EINVAL
			     : add_parameter(description, &line, error);
		if (rc == -EINVAL)
			line_error(&line, 0, error, "PARAM without a value");
		if (rc < 0)
			break;
	}
	reader_close(reader);
	return rc < 0 ? rc : 0;
}

int description_read(struct description *description, const char *path,
		     struct error *error)
{
	int rc;

	*description = (struct description){0};
	rc = read_comment(description, path, error);
	return rc < 0 ? rc : read_parameters(description, path, error);
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
