/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/measure/label.h"

#include "base/utf8.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Limits of a note, in bytes without a NUL. */
enum { NOTE_KEY_MAX = 40, NOTE_VALUE_MAX = 400 };

/* Check that a text has 1 to `max` bytes, and that they are safe to print. */
static int check_text(const char *option, const char *what, const char *text, size_t length,
		      size_t max, struct error *error)
{
	const char *end = text + length;
	uint32_t character;

	if (length == 0)
		error_set(error, "%s: %s is empty", option, what);
	else if (length > max)
		error_set(error, "%s: %s has %zu bytes; at most %zu are allowed", option, what,
			  length, max);
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

static int check_note(const char *note, struct error *error)
{
	const char *sign = strchr(note, '=');
	int rc;

	if (sign == NULL) {
		error_set(error, "--note: expected KEY=VALUE, such as disk=nvme0");
		return -EINVAL;
	}
	rc = check_text("--note", "the key", note, (size_t)(sign - note), NOTE_KEY_MAX, error);
	return rc < 0 ? rc
		      : check_text("--note", "the value", sign + 1, strlen(sign + 1),
				   NOTE_VALUE_MAX, error);
}

int label_check_notes(const char *const *notes, struct error *error)
{
	size_t i, j;

	for (i = 0; notes != NULL && notes[i] != NULL; i++) {
		size_t length = strcspn(notes[i], "=");

		if (check_note(notes[i], error) < 0)
			return -EINVAL;
		if (i == RESULT_NOTES) {
			error_set(error, "--note: at most %d notes are allowed", RESULT_NOTES);
			return -EINVAL;
		}
		for (j = 0; j < i; j++) {
			if (strncmp(notes[i], notes[j], length + 1) != 0)
				continue;
			error_set(error, "--note: the key \"%.*s\" is given twice", (int)length,
				  notes[i]);
			return -EINVAL;
		}
	}
	return 0;
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
