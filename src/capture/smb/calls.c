/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/smb/calls.h"

#include "base/array.h"
#include "base/utf8.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static uint32_t number_of(struct smb2_calls *calls, struct intern *table, const void *key,
			  size_t length)
{
	int is_new;
	int64_t number = intern(table, key, length, &is_new);

	calls->failed |= number < 0;
	return number < 0 ? SMB2_NONE : (uint32_t)number;
}

uint32_t smb2_calls_text(struct smb2_calls *calls, const char *text)
{
	if (text == NULL)
		return SMB2_NONE;
	return number_of(calls, &calls->texts, text, strlen(text));
}

const char *smb2_calls_name(const struct smb2_calls *calls, uint32_t number)
{
	return number == SMB2_NONE ? "" : calls->texts.keys[number].bytes;
}

uint32_t *smb2_map_at(struct smb2_calls *calls, struct smb2_map *map, const uint64_t *key,
		      size_t words)
{
	static uint32_t none;
	size_t known = map->keys.count;
	uint32_t number = number_of(calls, &map->keys, key, words * sizeof(*key));

	none = SMB2_NONE;
	if (number == SMB2_NONE)
		return &none;
	if (array_grow(&map->values, &map->room, map->keys.count, sizeof(*map->values)) < 0) {
		calls->failed = true;
		return &none;
	}
	if (number == known)
		map->values[number] = SMB2_NONE;
	return &map->values[number];
}

/* Set the two halves of a file ID, which tshark prints as a GUID. */
static bool parse_file_id(const char *text, uint64_t halves[2])
{
	unsigned digits = 0;

	halves[0] = halves[1] = 0;
	for (; *text != '\0'; text++) {
		unsigned char digit = (unsigned char)*text;

		if (digit == '-')
			continue;
		if (!isxdigit(digit) || digits == 32)
			return false;
		halves[digits / 16] = halves[digits / 16] << 4 |
				      (digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10);
		digits++;
	}
	return digits == 32;
}

uint32_t smb2_calls_file_id(struct smb2_calls *calls, uint32_t client, const char *text)
{
	uint64_t key[3] = {client};
	uint32_t *open;

	if (!parse_file_id(text, key + 1) || (uint32_t)key[1] == UINT32_MAX)
		return SMB2_NONE;
	open = smb2_map_at(calls, &calls->opens_by_id, key, 3);
	return calls->failed ? SMB2_NONE : (uint32_t)(open - calls->opens_by_id.values);
}

uint32_t smb2_calls_path(struct smb2_calls *calls, const char *text)
{
	char path[TREE_PATH_MAX] = "";
	size_t length = 0;
	const char *end = text + strlen(text), *stream = strchr(text, ':');

	if (stream != NULL && strcasecmp(stream, "::$DATA") == 0)
		end = stream;
	for (; text < end; text++) {
		bool separator = *text == '\\' || *text == '/';

		if (separator && (length == 0 || path[length - 1] == '/'))
			continue;
		if (length == sizeof(path) - 1)
			return SMB2_NONE;
		path[length++] = separator ? '/' : *text;
	}
	while (length > 0 && path[length - 1] == '/')
		length--;
	return number_of(calls, &calls->texts, path, length);
}

/* Return a number of `bytes` bytes in hexadecimal, little-endian, or -1. */
static int64_t parse_hex(const char *text, unsigned bytes)
{
	uint32_t number = 0;
	unsigned i;

	for (i = 0; i < 2 * bytes; i++) {
		unsigned char digit = (unsigned char)text[i];

		if (!isxdigit(digit))
			return -1;
		digit = (unsigned char)(digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10);
		number |= (uint32_t)digit << (4 * (i ^ 1));
	}
	return number;
}

/* Convert characters of UTF-16 in hexadecimal. Return false if they are none, or
 * too many. */
static bool convert_utf16(const char *text, uint32_t bytes, char path[TREE_PATH_MAX])
{
	size_t length = 0;
	uint32_t i, high = 0;

	for (i = 0; i < bytes; i += 2) {
		int64_t unit = parse_hex(text + 2 * i, 2);
		bool low = (unit & 0xfc00) == 0xdc00;

		if (unit <= 0 || low != (high != 0) || length + 4 >= TREE_PATH_MAX)
			return false;
		if ((unit & 0xfc00) == 0xd800) {
			high = (uint32_t)unit;
			continue;
		}
		if (low)
			unit = 0x10000 + ((high & 0x3ff) << 10 | (unit & 0x3ff));
		high = 0;
		length += utf8_encode(path + length, (uint32_t)unit);
	}
	path[length] = '\0';
	return high == 0;
}

uint32_t smb2_calls_link(struct smb2_calls *calls, const char *text, uint8_t *replace)
{
	/* MS-FSCC 2.4, FileLinkInformation, as SMB2 has it. */
	enum { LENGTH_AT = 16, NAME_AT = 20 };
	char path[TREE_PATH_MAX];
	int64_t replaces, length;

	if (strlen(text) < 2 * NAME_AT)
		return SMB2_NONE;
	replaces = parse_hex(text, 1);
	length = parse_hex(text + 2 * LENGTH_AT, 4);
	if (replaces < 0 || replaces > 1 || length <= 0 || length % 2 != 0 ||
	    !convert_utf16(text + 2 * NAME_AT, (uint32_t)length, path))
		return SMB2_NONE;
	*replace = (uint8_t)replaces;
	return smb2_calls_path(calls, path);
}

void smb2_map_free(struct smb2_map *map)
{
	intern_free(&map->keys);
	free(map->values);
	*map = (struct smb2_map){0};
}

void smb2_calls_free(struct smb2_calls *calls)
{
	intern_free(&calls->texts);
	free(calls->calls);
	free(calls->order);
	free(calls->names);
	free(calls->ranges);
	free(calls->clients);
	free(calls->opens);
	free(calls->listings);
	free(calls->listed);
	smb2_map_free(&calls->by_message);
	smb2_map_free(&calls->by_session);
	smb2_map_free(&calls->by_stream);
	smb2_map_free(&calls->shares);
	smb2_map_free(&calls->opens_by_id);
	smb2_map_free(&calls->opens_by_key);
}
