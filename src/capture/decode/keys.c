/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/decode/keys.h"

#include "base/array.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Number of bytes in a line of smbd's dumps. The same bytes as text follow. */
enum { DUMPED_BYTES = 16 };

/* Copy up to `max` hexadecimal bytes to `to`, which has a byte or more already.
 * Blanks may be between bytes. Return the text after them. */
static const char *copy_bytes(const char *text, size_t max, char *to, size_t size)
{
	size_t length = strlen(to), bytes;

	for (bytes = 0; bytes < max && length + 2 < size; bytes++) {
		while (*text == ' ')
			text++;
		if (!isxdigit((unsigned char)text[0]) || !isxdigit((unsigned char)text[1]))
			break;
		to[length++] = (char)tolower((unsigned char)*text++);
		to[length++] = (char)tolower((unsigned char)*text++);
	}
	to[length] = '\0';
	return text;
}

/* Read a dump, such as "[0000] 00 01 02", which may continue a key. */
static void read_dump(const char *text, char *to, size_t size)
{
	const char *bytes = strchr(text, ']');

	if (bytes != NULL)
		copy_bytes(bytes + 1, DUMPED_BYTES, to, size);
}

/* Read "SESSION-ID KEY". Return whether the line has this form. */
static bool read_pair(const char *line, struct session_key *key)
{
	const char *rest;

	*key = (struct session_key){0};
	rest = copy_bytes(line, 8, key->session, sizeof(key->session));
	if (strlen(key->session) != 16 || *rest != ' ')
		return false;
	rest = copy_bytes(rest, 32, key->key, sizeof(key->key));
	return strlen(key->key) >= 32 && strspn(rest, " \r\n") == strlen(rest);
}

static int add_key(struct session_keys *keys, const struct session_key *key)
{
	if (array_grow(&keys->list, &keys->room, keys->count + 1, sizeof(*key)) < 0)
		return -ENOMEM;
	keys->list[keys->count++] = *key;
	return 0;
}

static int read_lines(struct session_keys *keys, FILE *file)
{
	struct session_key dumped = {0}, pair;
	unsigned number = 0;
	char *line = NULL;
	size_t room = 0;
	bool in_key = false; /* the line before was the first one of a key */
	int rc = 0;

	while (rc == 0 && getline(&line, &room, file) > 0) {
		const char *text = line + strspn(line, " \t");

		number++;
		if (in_key && strncmp(text, "[0010]", 6) == 0)
			read_dump(text, keys->list[keys->count - 1].key, sizeof(dumped.key));
		/* A log that was rotated can begin after the session ID. */
		in_key = strncmp(text, "Session Key ", 12) == 0 && dumped.session[0] != '\0';
		if (in_key) {
			dumped.key[0] = '\0';
			dumped.line = number;
			read_dump(text, dumped.key, sizeof(dumped.key));
			rc = add_key(keys, &dumped);
		} else if (strncmp(text, "Session Id ", 11) == 0) {
			dumped.session[0] = '\0';
			read_dump(text, dumped.session, sizeof(dumped.session));
		} else if (read_pair(text, &pair)) {
			pair.line = number;
			rc = add_key(keys, &pair);
		}
	}
	free(line);
	return rc;
}

/* Check the sizes, because tshark leaves out keys that it cannot use. */
static int check_sizes(const struct session_keys *keys, const char *path, struct error *error)
{
	size_t i;

	for (i = 0; i < keys->count; i++) {
		const struct session_key *key = &keys->list[i];
		size_t digits = strlen(key->key);

		if (strlen(key->session) == 2 * 8 && (digits == 2 * 16 || digits == 2 * 32))
			continue;
		error_set_at(error, path, key->line, 0,
			     "expected a session ID of 8 bytes and a key of 16 or 32 bytes, both "
			     "in hexadecimal");
		return -EINVAL;
	}
	return 0;
}

int session_keys_read(struct session_keys *keys, const char *path, struct error *error)
{
	FILE *file = fopen(path, "re");
	int rc;

	*keys = (struct session_keys){0};
	if (file == NULL) {
		rc = -errno;
		error_set(error, "cannot open \"%s\": %s", path, strerror(errno));
		return rc;
	}
	rc = read_lines(keys, file);
	fclose(file);
	if (rc < 0)
		return error_no_memory(error);
	if (keys->count > 0)
		return check_sizes(keys, path, error);
	error_set(error,
		  "\"%s\" has no session keys; expected a log of smbd with \"debug encryption = "
		  "yes\", or lines that each have a session ID and a key",
		  path);
	return -EINVAL;
}
