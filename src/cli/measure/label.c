/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/measure/label.h"

#include "base/array.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Limits of notes and commands, in bytes without a NUL. */
enum { KEY_MAX = 40, NOTE_VALUE_MAX = 400, COMMAND_MAX = 4000 };

/* Check that a text has 1 to `max` bytes, and that they are safe to print. */
static int check_text(const char *option, const char *what, const char *text, size_t length,
		      size_t max, struct error *error)
{
	const char *end = text + length;
	uint32_t character;

	if (length == 0)
		error_set(error, "%s: %s is empty", option, what);
	else if (length > max)
		error_set(error, "%s: %s may have at most %zu bytes, not %zu", option, what, max,
			  length);
	while (text < end && !error->set) {
		size_t bytes = utf8_decode(text, &character);

		if (bytes == 0 || !utf8_is_plain(character))
			error_set(error,
				  "%s: %s has a control character, or a byte that is not UTF-8",
				  option, what);
		text += bytes;
	}
	return error->set ? -EINVAL : 0;
}

int label_check(const char *option, const char *label, struct error *error)
{
	if (label == NULL)
		return 0;
	return check_text(option, "the name", label, strlen(label), RESULT_LABEL - 1, error);
}

void label_record(const char *label, struct result_run *run)
{
	if (label != NULL)
		strcpy(run->label, label);
}

/* An option whose texts are KEY=VALUE. */
struct keyed {
	const char *option, *form; /* "--note", "KEY=VALUE, such as disk=nvme0" */
	const char *key;           /* "the key" */
	const char *value;
	size_t value_max, max; /* bytes of a value; number of texts */
};

static const struct keyed note = {"--note",       "KEY=VALUE, such as disk=nvme0",
				  "the key",      "the value",
				  NOTE_VALUE_MAX, RESULT_NOTES};
static const struct keyed sample = {"--sample",  "NAME=CMD, such as load='cat /proc/loadavg'",
				    "the name",  "the command",
				    COMMAND_MAX, RESULT_SAMPLES};

static int check_keyed(const struct keyed *of, const char *text, struct error *error)
{
	const char *sign = strchr(text, '=');
	int rc;

	if (sign == NULL) {
		error_set(error, "%s: expected %s", of->option, of->form);
		return -EINVAL;
	}
	rc = check_text(of->option, of->key, text, (size_t)(sign - text), KEY_MAX, error);
	return rc < 0 ? rc
		      : check_text(of->option, of->value, sign + 1, strlen(sign + 1), of->value_max,
				   error);
}

/* Check the texts, whose keys must differ. */
static int check_all(const struct keyed *of, const char *const *texts, struct error *error)
{
	size_t i, j;

	for (i = 0; texts != NULL && texts[i] != NULL; i++) {
		size_t length = strcspn(texts[i], "=");

		if (check_keyed(of, texts[i], error) < 0)
			return -EINVAL;
		if (i == of->max) {
			error_set(error, "%s may be given at most %zu times", of->option, of->max);
			return -EINVAL;
		}
		for (j = 0; j < i; j++) {
			if (strncmp(texts[i], texts[j], length + 1) != 0)
				continue;
			error_set(error, "%s: %s \"%.*s\" is given twice", of->option, of->key,
				  (int)length, texts[i]);
			return -EINVAL;
		}
	}
	return 0;
}

int label_check_notes(const char *const *notes, struct error *error)
{
	return check_all(&note, notes, error);
}

int label_check_samples(const char *const *samples, struct error *error)
{
	return check_all(&sample, samples, error);
}

void label_record_notes(const char *const *notes, struct result_run *run)
{
	for (; notes != NULL && *notes != NULL; notes++) {
		size_t length = strcspn(*notes, "=");
		char *key = strndup(*notes, length);

		if (key != NULL)
			result_add_note(run, key, *notes + length + 1);
		free(key);
	}
}

void label_record_samples(const char *const *samples, struct result_run *run)
{
	for (; samples != NULL && *samples != NULL; samples++) {
		size_t length = strcspn(*samples, "=");
		const struct result_sampled sampled = {
			.name = strndup(*samples, length),
			.command = strdup(*samples + length + 1),
		};

		if (sampled.name != NULL && sampled.command != NULL &&
		    array_append(&run->samples, &run->sample_count, &sampled, sizeof(sampled)) == 0)
			continue;
		free(sampled.name);
		free(sampled.command);
	}
}
